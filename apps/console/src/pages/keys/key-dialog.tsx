import { Alert, Button, CopyButton, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const words = texts.people.keys;

/** A key that was just made. */
export interface KeyDialogProps {
  /** Whose it is. */
  readonly holder: string;
  /** The key; nothing is shown without. */
  readonly issued: string | undefined;
  readonly onClose: () => void;
}

/** Shows a key, the only time that is possible; nothing but its button closes it. */
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
          {/* Only a page that came over HTTPS, or from this machine, may write to the clipboard. */}
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
