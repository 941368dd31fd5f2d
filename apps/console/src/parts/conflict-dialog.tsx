import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { DifferencesTable } from './differences-table.tsx';
import { ProblemBox } from './problem-box.tsx';

export interface ConflictDialogProps {
  /** The version that is stored. The dialog is open only with a version. */
  readonly stored: object | undefined;
  /** The version that the user tried to save. */
  readonly mine: object | undefined;
  readonly labelOf?: (member: string) => string;
  readonly onTakeTheirs: () => void;
  /** Saves the user's version. If it fails, the dialog stays open and shows the error. */
  readonly onKeepMine: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that shows the differences between two versions and requests a choice. */
export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  const { stored, mine, labelOf, onTakeTheirs, onKeepMine, onClose } = props;
  const keeping = useMutation({ mutationFn: onKeepMine });
  return (
    <Modal opened={stored !== undefined} onClose={onClose} size="xl" title={texts.conflict.heading}>
      <Stack>
        <Text>{texts.conflict.text}</Text>
        <DifferencesTable
          before={stored}
          after={mine}
          names={[texts.conflict.stored, texts.conflict.yours]}
          labelOf={labelOf}
        />
        {keeping.isError && <ProblemBox error={keeping.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onTakeTheirs}>
            {texts.conflict.takeTheirs}
          </Button>
          <Button
            loading={keeping.isPending}
            onClick={() => {
              keeping.mutate();
            }}
          >
            {texts.conflict.keepMine}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
