import { Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, provisioner } from '../../api/client.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { EditForm } from '../../parts/edit-form.tsx';
import { texts } from '../../texts/texts.ts';
import { keys, type Schedule } from './calls.ts';

const { schedule: words } = texts.imports;

/** A form that sets or pauses the schedule, or restores the configured schedule. */
export function ScheduleForm({ schedule: { cron, origin } }: { readonly schedule: Schedule }): ReactNode {
  const queries = useQueryClient();
  const form = useForm({ mode: 'uncontrolled', initialValues: { cron: cron ?? '' } });
  const put = async (next: string | null): Promise<void> => {
    await bodyOf(provisioner.PUT('/imports/schedule', { body: { cron: next } }));
    form.resetDirty();
    notifications.show({ message: words.saved });
    await queries.invalidateQueries({ queryKey: [keys.schedule] });
  };
  return (
    <EditForm form={form} saveLabel={words.save} onSave={(values) => put(values.cron.trim())}>
      <TextInput
        label={words.cron}
        description={words.cronHint}
        maw="20rem"
        data-path="cron"
        key={form.key('cron')}
        {...form.getInputProps('cron')}
      />
      <Group gap="xs" display={cron === null && origin === 'setting' ? 'none' : undefined}>
        {cron !== null && (
          <ConfirmButton
            label={words.pause}
            title={words.pauseTitle}
            text={words.pauseText}
            onConfirm={() => put(null)}
          />
        )}
        {origin === 'stored' && (
          <ConfirmButton
            label={words.reset}
            title={words.resetTitle}
            text={words.resetText}
            onConfirm={() => put('default')}
          />
        )}
      </Group>
    </EditForm>
  );
}
