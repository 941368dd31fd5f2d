import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmButton } from './confirm-button.tsx';

export interface RemoveButtonProps {
  readonly words: {
    readonly label: string;
    readonly title: (name: string) => string;
    readonly text: string;
    readonly done: (name: string) => string;
  };
  /** The name of the object. */
  readonly name: string;
  /** The list of the object: the last part of its path, and the key of its queries. */
  readonly list: string;
  readonly remove: () => Promise<unknown>;
}

/** A button that removes an object and then opens the list from which the object was removed. */
export function RemoveButton({ words, name, list, remove }: RemoveButtonProps): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const removeAndLeave = async (): Promise<void> => {
    await remove();
    notifications.show({ message: words.done(name) });
    await navigate({ to: `/${list}`, ignoreBlocker: true });
    await queries.invalidateQueries({ queryKey: [list] });
  };
  return (
    <ConfirmButton
      color="red"
      label={words.label}
      title={words.title(name)}
      text={words.text}
      onConfirm={removeAndLeave}
    />
  );
}
