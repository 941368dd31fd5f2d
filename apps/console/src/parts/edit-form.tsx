import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { texts } from '../texts/texts.ts';
import { useAction } from './action.ts';
import classes from './edit-form.module.css';
import { ProblemBox } from './problem-box.tsx';

export interface EditFormProps<Values extends object> {
  /** A form of `useForm({ mode: 'uncontrolled', ... })`. */
  readonly form: UseFormReturnType<Values>;
  /** Saves the values. An error is shown above the form and at the fields that the service names. */
  readonly onSave: (values: Values) => Promise<unknown>;
  /** The label of the button that saves. */
  readonly saveLabel?: string | undefined;
  readonly onCancel?: (() => void) | undefined;
  /** The label of the button that cancels. */
  readonly cancelLabel?: string;
  /** Whether the buttons stay at the bottom of the window while a long form is scrolled. */
  readonly isBarSticky?: boolean;
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
  const { cancelLabel = texts.form.cancel, isBarSticky = false } = props;
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
      onSubmit={form.onSubmit(
        (values) => {
          saving.begin(values);
        },
        (errors) => {
          form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
        },
      )}
    >
      <Stack>
        {saving.error && <ProblemBox title={texts.form.notSaved} error={saving.error} />}
        <fieldset disabled={isReadOnly} style={{ all: 'unset' }}>
          <Stack>{children}</Stack>
        </fieldset>
        {!isReadOnly && <Bar {...{ saveLabel, onCancel, cancelLabel, isBarSticky }} isSaving={saving.isPending} />}
      </Stack>
      <LeaveDialog isUnsaved={() => !isReadOnly && form.isDirty()} />
    </form>
  );
}

type BarProps = Pick<EditFormProps<object>, 'saveLabel' | 'onCancel' | 'cancelLabel' | 'isBarSticky'> & {
  readonly isSaving: boolean;
};

/** The buttons of a form. */
function Bar({ saveLabel, onCancel, cancelLabel, isBarSticky, isSaving }: BarProps): ReactNode {
  return (
    <Group className={isBarSticky ? classes['bar'] : undefined}>
      <Button type="submit" loading={isSaving}>
        {saveLabel}
      </Button>
      {onCancel && (
        <Button variant="default" onClick={onCancel}>
          {cancelLabel}
        </Button>
      )}
    </Group>
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
