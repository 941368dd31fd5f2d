import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { useDeed } from './deed.ts';
import { ProblemBox } from './problem-box.tsx';

/** A button whose deed is asked about once more. */
export interface ConfirmButtonProps extends ButtonProps {
  /** What is written on the button, and on the one that does it. */
  readonly label: string;
  /** The question, and what follows from yes. */
  readonly title: string;
  readonly text: string;
  /** What else is asked, e.g. for a reason. */
  readonly children?: ReactNode;
  /** Whether what is asked is answered. */
  readonly isReady?: boolean;
  /** Does it; what it throws is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before something is done that cannot easily be undone. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { label, title, text, children, isReady = true, onConfirm, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const deed = useDeed({ perform: onConfirm, onDone: close });
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <Stack>
          <Text>{text}</Text>
          {children}
          {deed.error && <ProblemBox error={deed.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {texts.dialog.cancel}
            </Button>
            <Button
              color={button.color}
              disabled={!isReady}
              loading={deed.isPending}
              onClick={() => {
                deed.begin();
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
