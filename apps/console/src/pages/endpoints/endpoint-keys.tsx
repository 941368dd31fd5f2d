import { NumberInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { EndInput } from '../keys/end-input.tsx';
import { KeyDialog } from '../keys/key-dialog.tsx';
import { KeyBadge, KeyEnd, LastUsed } from '../keys/key-facts.tsx';
import { KeyInput } from '../keys/key-input.tsx';
import { endOfDay } from '../keys/last-day.ts';
import { type Endpoint, revokeKeys, rotateKey } from './calls.ts';

const words = texts.people.endpoints;
const { keys: keyWords } = texts.people;
/** One day is enough to deploy a new key by hand. */
const usualOverlapHours = 24;
const maxOverlapHours = 365 * 24;

interface EndpointKeysProps {
  readonly endpoint: Endpoint;
  /** Is called after a key was created or revoked. */
  readonly onChanged: () => Promise<void>;
}

/** The keys of an endpoint, with buttons that rotate and revoke the keys. */
export function EndpointKeys({ endpoint, onChanged }: EndpointKeysProps): ReactNode {
  const { keys } = endpoint;
  return (
    <Section
      title={words.keys}
      actions={
        <>
          <RotateButton endpoint={endpoint} onChanged={onChanged} />
          {keys.some(({ valid }) => valid) && <RevokeButton endpoint={endpoint} onChanged={onChanged} />}
        </>
      }
    >
      {keys.length === 0 ? (
        <Text>{keyWords.none}</Text>
      ) : (
        <DataTable label={words.keys} rows={keys} columns={columns} rowKey={({ id }) => id} />
      )}
    </Section>
  );
}

const columns: readonly Column<Endpoint['keys'][number]>[] = [
  { label: keyWords.created, cell: ({ created_at: at }) => <Moment at={at} /> },
  { label: keyWords.state, cell: (key) => <KeyBadge of={key} /> },
  { label: keyWords.lastUsed, cell: (key) => <LastUsed of={key} /> },
  { label: keyWords.ends, cell: (key) => <KeyEnd of={key} /> },
];

function RotateButton({ endpoint, onChanged }: EndpointKeysProps): ReactNode {
  const [hours, setHours] = useState<number | string>(usualOverlapHours);
  const [pasted, setPasted] = useState('');
  const [day, setDay] = useState('');
  const [issued, setIssued] = useState<string>();
  const { label, title, text, overlap } = words.rotate;
  const rotate = async (): Promise<void> => {
    const wanted = { overlap_seconds: Math.round(Number(hours) * 3600), expires_at: endOfDay(day) };
    setIssued(await rotateKey(endpoint, { ...wanted, ...(pasted && { key: pasted }) }));
    setPasted('');
    await onChanged();
  };
  return (
    <>
      <ConfirmButton label={label} title={title(endpoint.name)} text={text} onConfirm={rotate}>
        <NumberInput label={overlap} min={0} max={maxOverlapHours} value={hours} onChange={setHours} />
        <KeyInput
          value={pasted}
          onChange={({ currentTarget }) => {
            setPasted(currentTarget.value);
          }}
        />
        <EndInput label={keyWords.end} description={keyWords.endHint} value={day} onChange={setDay} />
      </ConfirmButton>
      <KeyDialog
        holder={endpoint.name}
        issued={issued}
        onClose={() => {
          setIssued(undefined);
        }}
      />
    </>
  );
}

function RevokeButton({ endpoint, onChanged }: EndpointKeysProps): ReactNode {
  const { label, title, text } = words.revoke;
  return (
    <ConfirmButton
      color="red"
      label={label}
      title={title(endpoint.name)}
      text={text}
      onConfirm={async () => {
        await revokeKeys(endpoint);
        notifications.show({ message: keyWords.revoked });
        await onChanged();
      }}
    />
  );
}
