import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { useAction } from './action.ts';
import { ProblemBox } from './problem-box.tsx';

export interface ConfirmButtonProps extends ButtonProps {
  /** The label of the button, and of the button that confirms. */
  readonly label: string;
  /** The question of the dialog. */
  readonly title: string;
  readonly text: string;
  /** Further inputs of the dialog, e.g. for a reason. */
  readonly children?: ReactNode;
  /** Whether the dialog can be confirmed. */
  readonly isReady?: boolean;
  /** Performs the action. If it fails, the dialog stays open and shows the error. */
  readonly onConfirm: () => Promise<unknown>;
}

/** A button that requires a confirmation, for actions that are hard to undo. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { label, title, text, children, isReady = true, onConfirm, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const action = useAction({ perform: onConfirm, onDone: close });
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <Stack>
          <Text>{text}</Text>
          {children}
          {action.error && <ProblemBox error={action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {texts.dialog.cancel}
            </Button>
            <Button
              color={button.color}
              disabled={!isReady}
              loading={action.isPending}
              onClick={() => {
                action.begin();
              }}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
