import type { ReactNode } from 'react';
import { ConflictDialog } from '../parts/conflict-dialog.tsx';
import { EditForm } from '../parts/edit-form.tsx';
import { texts } from '../texts/texts.ts';
import { schemaOf } from './kinds.ts';
import { labelOf } from './labels.ts';
import { NamesNew } from './names-new.ts';
import type { RecordEditing } from './record-editing.ts';
import type { RecordList } from './record-lists.ts';
import { SchemaFields } from './schema-fields.tsx';

export interface RecordFormProps {
  readonly list: RecordList;
  readonly editing: RecordEditing;
  readonly isReadOnly: boolean;
}

/** A form for a record, built from the published schema of the record's kind. */
export function RecordForm({ list, editing, isReadOnly }: RecordFormProps): ReactNode {
  const { form, base, save, noteNew, conflict } = editing;
  return (
    <NamesNew value={noteNew}>
      <EditForm
        form={form}
        isReadOnly={isReadOnly}
        saveLabel={base ? texts.form.save : texts.form.create}
        onSave={save}
      >
        <SchemaFields form={form} schema={schemaOf(list)} />
      </EditForm>
      <ConflictDialog {...conflict} labelOf={labelOf} />
    </NamesNew>
  );
}
