import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { purge, withdraw } from './calls.ts';
import { useShowRun } from './run-buttons.tsx';

const { removal } = texts.imports;

interface ReasonProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The input for the reason of a removal, which the service keeps permanently. */
function Reason({ value, onChange }: ReasonProps): ReactNode {
  return (
    <Textarea
      label={removal.reason}
      description={removal.reasonHint}
      required
      autosize
      minRows={2}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}

/** A button that withdraws an imported dataset. Hidden if the user may not import. */
export function WithdrawButton({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const show = useShowRun();
  const [reason, setReason] = useState('');
  if (!may('imports.write')) return null;
  return (
    <ConfirmButton
      label={removal.withdraw}
      title={removal.withdrawTitle(id)}
      text={removal.withdrawText}
      color="red"
      isReady={reason.trim() !== ''}
      onConfirm={async () => show(await withdraw(id, reason))}
    >
      <Reason value={reason} onChange={setReason} />
    </ConfirmButton>
  );
}

/** A button that purges a withdrawn dataset after its id was typed. Hidden if the user may not import. */
export function PurgeButton({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const show = useShowRun();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  if (!may('imports.write')) return null;
  return (
    <ConfirmButton
      label={removal.purge}
      title={removal.purgeTitle(id)}
      text={removal.purgeText}
      color="red"
      isReady={reason.trim() !== '' && typed === id}
      onConfirm={async () => show(await purge(id, { confirm: typed, reason }))}
    >
      <Reason value={reason} onChange={setReason} />
      <TextInput
        label={removal.confirm(id)}
        required
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
    </ConfirmButton>
  );
}
