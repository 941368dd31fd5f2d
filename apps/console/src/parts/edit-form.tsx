import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { texts } from '../texts/texts.ts';
import { useDeed } from './deed.ts';
import { ProblemBox } from './problem-box.tsx';

/** A form that edits one thing. */
export interface EditFormProps<Values extends object> {
  /** Made with `useForm({ mode: 'uncontrolled', ... })`. */
  readonly form: UseFormReturnType<Values>;
  /** Saves; what it throws is shown, at its field where the service names one. */
  readonly onSave: (values: Values) => Promise<unknown>;
  /** What is written on the button that saves. */
  readonly saveLabel?: string;
  readonly onCancel?: () => void;
  /** Whether the person may look but not write: then nothing can be saved, and the inputs are disabled. */
  readonly isReadOnly?: boolean;
  readonly children: ReactNode;
}

/**
 * Around the inputs of a form: saves, puts what the service finds wrong at its input, and asks before work that is not
 * saved is left.
 */
export function EditForm<Values extends object>(props: EditFormProps<Values>): ReactNode {
  const { form, onSave, saveLabel = texts.form.save, onCancel, isReadOnly = false, children } = props;
  const saving = useDeed({
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

/** Puts each problem at its input, whose path has dots where the services write brackets, and goes to the first. */
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
