import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { texts } from '../texts/texts.ts';
import { useAction } from './action.ts';
import { ProblemBox } from './problem-box.tsx';

export interface EditFormProps<Values extends object> {
  /** A form of `useForm({ mode: 'uncontrolled', ... })`. */
  readonly form: UseFormReturnType<Values>;
  /** Saves the values. An error is shown above the form and at the fields that the service names. */
  readonly onSave: (values: Values) => Promise<unknown>;
  /** The label of the button that saves. */
  readonly saveLabel?: string;
  readonly onCancel?: () => void;
  /** Whether the user may not write. All inputs are disabled, and there is no button that saves. */
  readonly isReadOnly?: boolean;
  readonly children: ReactNode;
}

/**
 * A form with a button that saves. The form shows the service's error messages at the inputs, and requests a
 * confirmation before the user leaves unsaved changes.
 */
export function EditForm<Values extends object>(props: EditFormProps<Values>): ReactNode {
  const { form, onSave, saveLabel = texts.form.save, onCancel, isReadOnly = false, children } = props;
  const saving = useAction({
    perform: async (values: Values) => {
      form.clearErrors();
      await onSave(values);
    },
    onError: (error) => {
      placeProblems(form, error);
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        saving.begin(values);
      })}
    >
      <Stack>
        {saving.error && <ProblemBox title={texts.form.notSaved} error={saving.error} />}
        <fieldset disabled={isReadOnly} style={{ all: 'unset' }}>
          <Stack>{children}</Stack>
        </fieldset>
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={saving.isPending}>
              {saveLabel}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {texts.form.cancel}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <LeaveDialog isUnsaved={() => !isReadOnly && form.isDirty()} />
    </form>
  );
}

/** Shows each error at its input and focuses the first input. Paths of inputs have dots in place of brackets. */
function placeProblems<Values extends object>(form: UseFormReturnType<Values>, error: unknown): void {
  if (!(error instanceof Problem)) return;
  const placed = error.fields.map(({ field, problem }) => [field.replace(/\[(\d+)\]/g, '.$1'), problem] as const);
  form.setErrors(Object.fromEntries(placed));
  const [first] = placed;
  if (first) form.getInputNode(first[0])?.focus();
}

function LeaveDialog({ isUnsaved }: { readonly isUnsaved: () => boolean }): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: isUnsaved, enableBeforeUnload: isUnsaved, withResolver: true });
  const stay = (): void => {
    blocker.reset?.();
  };
  return (
    <Modal opened={blocker.status === 'blocked'} onClose={stay} title={texts.form.leaveHeading}>
      <Stack>
        <Text>{texts.form.leaveText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            {texts.form.stay}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {texts.form.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
