import { Button, CloseButton, Group, Input, JsonInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts/texts.ts';
import { jsonObjectOf } from './metadata.ts';
import type { FormValues } from './schema.ts';

const words = texts.reading.metadata;

export interface MetadataInputProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: ReactNode;
  readonly defaultValue?: unknown;
  readonly onChange?: (value: string) => void;
  readonly 'data-path'?: string;
}

/** An input for a JSON object: rows of names and values, or JSON if the object contains nested values. */
export function MetadataInput({
  label,
  description,
  error,
  defaultValue,
  onChange,
  ...input
}: MetadataInputProps): ReactNode {
  const [text, setText] = useUncontrolled<string>({ defaultValue: textOf(defaultValue), finalValue: '', onChange });
  const values = jsonObjectOf(text);
  const isFlat = values !== undefined && Object.values(values).every((value) => typeof value !== 'object');
  const [wanted, setWanted] = useState(isFlat ? 'values' : 'json');
  const view = isFlat ? wanted : 'json';
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      error={view === 'json' ? undefined : error}
    >
      <Stack gap="xs" pt={4} role="group" aria-label={label}>
        <ViewSwitch view={view} isDisabled={!isFlat} onChange={setWanted} />
        {view === 'values' ? (
          <Rows values={values ?? {}} onChange={setText} />
        ) : (
          <JsonText
            {...input}
            label={`${label} (${words.asJson})`}
            text={text}
            error={values === undefined ? words.notJson : error}
            onChange={setText}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface ViewSwitchProps {
  readonly view: string;
  readonly isDisabled: boolean;
  readonly onChange: (view: string) => void;
}

function ViewSwitch({ view, isDisabled, onChange }: ViewSwitchProps): ReactNode {
  if (isDisabled) return null;
  return (
    <SegmentedControl
      size="xs"
      value={view}
      onChange={onChange}
      aria-label={words.view}
      w="max-content"
      data={[
        { value: 'values', label: words.asValues },
        { value: 'json', label: words.asJson },
      ]}
    />
  );
}

interface JsonTextProps {
  readonly label: string;
  readonly text: string;
  readonly error: ReactNode;
  readonly onChange: (text: string) => void;
  readonly 'data-path'?: string;
}

/** An editor for JSON, which is formatted when the user leaves the editor. */
function JsonText({ label, text, ...input }: JsonTextProps): ReactNode {
  return (
    <JsonInput
      {...input}
      aria-label={label}
      value={text}
      formatOnBlur
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', tabSize: 2 } }}
    />
  );
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return value == null ? '' : JSON.stringify(value, null, 2);
  const values = jsonObjectOf(value);
  return values && Object.keys(values).length > 0 ? JSON.stringify(values, null, 2) : value;
}

/** A row of names and values. Rows keep their place, also while a name is empty or occurs twice. */
type Row = readonly [name: string, value: unknown];

function Rows({
  values,
  onChange,
}: {
  readonly values: FormValues;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const [rows, setRows] = useState<readonly Row[]>(Object.entries(values));
  const set = (next: readonly Row[]): void => {
    setRows(next);
    onChange(JSON.stringify(Object.fromEntries(next.filter(([name]) => name !== ''))));
  };
  const addRow = (): void => {
    setRows([...rows, ['', '']]);
  };
  return (
    <>
      {rows.map((row, index) => (
        <RowInputs
          key={index}
          row={row}
          place={String(index + 1)}
          onChange={(next) => {
            set(rows.map((each, at) => (at === index ? next : each)));
          }}
          onRemove={() => {
            set(rows.filter((_, at) => at !== index));
          }}
        />
      ))}
      <Button size="xs" variant="default" w="max-content" onClick={addRow}>
        {words.add}
      </Button>
    </>
  );
}

interface RowInputsProps {
  readonly row: Row;
  readonly place: string;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

function RowInputs({ row: [name, value], place, onChange, onRemove }: RowInputsProps): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <TextInput
        aria-label={`${words.name} ${place}`}
        placeholder={words.name}
        w="35%"
        value={name}
        onChange={({ currentTarget }) => {
          onChange([currentTarget.value, value]);
        }}
      />
      <TextInput
        aria-label={`${words.value} ${place}`}
        placeholder={words.value}
        flex={1}
        value={String(value)}
        onChange={({ currentTarget }) => {
          onChange([name, typedLike(value, currentTarget.value)]);
        }}
      />
      <CloseButton aria-label={words.remove(name)} onClick={onRemove} />
    </Group>
  );
}

/** Returns a changed value with the type of the previous value if the text permits the type. */
function typedLike(previous: unknown, text: string): unknown {
  if (typeof previous === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof previous === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
