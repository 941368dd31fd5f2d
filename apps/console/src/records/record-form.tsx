import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConflictDialog } from '../parts/conflict-dialog.tsx';
import { EditForm } from '../parts/edit-form.tsx';
import { texts } from '../texts/texts.ts';
import { schemaOf } from './kinds.ts';
import { labelOf } from './labels.ts';
import { formGroupsOf, type MemberGroup } from './layouts.ts';
import { NamesNew } from './names-new.ts';
import type { RecordEditing } from './record-editing.ts';
import type { RecordList } from './record-lists.ts';
import { SchemaFields } from './schema-fields.tsx';

export interface RecordFormProps {
  readonly list: RecordList;
  readonly editing: RecordEditing;
  readonly isReadOnly: boolean;
  readonly onCancel: () => void;
}

/** A form for a record, built from the published schema of the record's kind and laid out in groups. */
export function RecordForm({ list, editing, isReadOnly, onCancel }: RecordFormProps): ReactNode {
  const { form, base, save, noteNew, conflict } = editing;
  const schema = schemaOf(list);
  return (
    <NamesNew value={noteNew}>
      <EditForm
        form={form}
        isReadOnly={isReadOnly}
        saveLabel={base ? texts.form.save : texts.form.create}
        onSave={save}
        onCancel={onCancel}
        isBarSticky
      >
        <Stack maw="64rem" gap="lg">
          {formGroupsOf(list, schema).map(({ name, members }) => (
            <Fieldset key={name} legend={legendOf(name, members)} radius="md">
              <SchemaFields form={form} schema={schema} members={members} />
            </Fieldset>
          ))}
        </Stack>
      </EditForm>
      <ConflictDialog {...conflict} labelOf={labelOf} />
    </NamesNew>
  );
}

/** Returns the legend of a group, or undefined if the only member of the group has the same label. */
function legendOf(name: MemberGroup['name'], [first, ...others]: readonly string[]): string | undefined {
  const legend = texts.reading.groups[name];
  return first !== undefined && others.length === 0 && labelOf(first) === legend ? undefined : legend;
}
