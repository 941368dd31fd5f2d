import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { DifferencesTable } from './differences-table.tsx';
import { ProblemBox } from './problem-box.tsx';

/** Two people have changed the same thing. */
export interface ConflictDialogProps {
  /** What is stored now; no dialog without. */
  readonly stored: object | undefined;
  /** What was about to be saved. */
  readonly mine: object | undefined;
  readonly labelOf?: (member: string) => string;
  readonly onTakeTheirs: () => void;
  /** What it throws is shown, and the dialog stays. */
  readonly onKeepMine: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Shows both versions where they differ, and lets the person decide. */
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
