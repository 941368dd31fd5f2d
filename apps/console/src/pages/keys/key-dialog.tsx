import { Alert, Button, CopyButton, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const words = texts.people.keys;

export interface KeyDialogProps {
  /** The name of the key's holder. */
  readonly holder: string;
  /** The new key. The dialog is open only with a key. */
  readonly issued: string | undefined;
  readonly onClose: () => void;
}

/** A dialog that shows a new key once. Only its button closes it. */
export function KeyDialog({ holder, issued, onClose }: KeyDialogProps): ReactNode {
  return (
    <Modal
      opened={issued !== undefined}
      onClose={onClose}
      title={words.shownTitle(holder)}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          {words.shownText}
        </Alert>
        <TextInput
          label={words.shown}
          value={issued ?? ''}
          readOnly
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          data-autofocus
          onFocus={(event) => {
            event.currentTarget.select();
          }}
        />
        <Group justify="flex-end">
          {/* Browsers allow access to the clipboard only over HTTPS and on localhost. */}
          {window.isSecureContext && <CopyKey issued={issued ?? ''} />}
          <Button onClick={onClose}>{words.close}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function CopyKey({ issued }: { readonly issued: string }): ReactNode {
  return (
    <CopyButton value={issued}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy} aria-live="polite">
          {copied ? texts.copy.copied : texts.copy.copy}
        </Button>
      )}
    </CopyButton>
  );
}
