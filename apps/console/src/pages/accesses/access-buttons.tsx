import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { EndInput } from '../keys/end-input.tsx';
import { dayOf, endOfDay } from '../keys/last-day.ts';
import { type Access, moveEnd, step } from './calls.ts';

const words = texts.people.accesses;

interface AccessProps {
  readonly access: Access;
}

/** The buttons for the actions that the state of an access permits. */
export function AccessButtons({ access }: AccessProps): ReactNode {
  const may = useMay();
  if (!may('administrate') || access.status === 'terminated') return null;
  return (
    <>
      {access.application === null && <ProlongButton access={access} />}
      {access.status === 'active' && <StepButton access={access} action="suspend" />}
      {access.status === 'suspended' && <StepButton access={access} action="resume" />}
      <StepButton access={access} action="terminate" />
    </>
  );
}

function StepButton({
  access,
  action,
}: AccessProps & { readonly action: 'suspend' | 'resume' | 'terminate' }): ReactNode {
  const changed = useChanged();
  const { label, title, text } = words[action];
  return (
    <ConfirmButton
      {...(action === 'terminate' && { color: 'red' })}
      label={label}
      title={title}
      text={text}
      onConfirm={async () => {
        await step(access, action);
        await changed();
      }}
    />
  );
}

function ProlongButton({ access }: AccessProps): ReactNode {
  const changed = useChanged();
  const [day, setDay] = useState(dayOf(access.expires_at));
  const { label, title, text } = words.prolong;
  return (
    <ConfirmButton
      label={label}
      title={title}
      text={text}
      onConfirm={async () => {
        await moveEnd(access, endOfDay(day));
        await changed();
      }}
    >
      <EndInput label={words.end} description={words.endHint} value={day} onChange={setDay} />
    </ConfirmButton>
  );
}

/** Returns a function that invalidates the cached accesses after a write. */
function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    notifications.show({ message: texts.form.saved });
    await queries.invalidateQueries({ queryKey: ['accesses'] });
  };
}
