import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Asked } from '../../parts/asked.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { KeyDialog } from '../keys/key-dialog.tsx';
import {
  createSubscription,
  getSubscription,
  removeSubscription,
  rotateSecret,
  type Subscription,
  updateSubscription,
} from './calls.ts';
import { Deliveries } from './deliveries.tsx';
import { stateText } from './state-text.ts';
import { SubscriptionForm } from './subscription-form.tsx';

const words = texts.events;

/** The page of a new or existing event subscription. */
export default function SubscriptionPage(): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewSubscription /> : <ExistingSubscription key={id} id={id} />;
}

/** A form for a new subscription. After the dialog with the secret is closed, the page of the subscription opens. */
function NewSubscription(): ReactNode {
  const navigate = useNavigate();
  const changed = useChanged();
  const [made, setMade] = useState<Awaited<ReturnType<typeof createSubscription>>>();
  return (
    <Page title={words.create}>
      <SubscriptionForm
        onSave={async (values) => {
          setMade(await createSubscription(values));
          await changed();
        }}
      />
      <KeyDialog
        holder={made?.name ?? ''}
        issued={made?.secret}
        onClose={() => {
          void navigate({ to: '/events/$id', params: { id: String(made?.id) }, ignoreBlocker: true });
        }}
      />
    </Page>
  );
}

function ExistingSubscription({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['events', 'record', id], queryFn: ({ signal }) => getSubscription(id, signal) });
  const changed = useChanged();
  const found = query.data;
  const actions = found && (
    <>
      <PauseButton subscription={found} onChanged={changed} />
      <SecretButton subscription={found} />
      <RemoveButton words={words.remove} name={found.name} list="events" remove={() => removeSubscription(found)} />
    </>
  );
  return (
    <Page title={found?.name ?? words.one} actions={actions}>
      <Asked query={query}>
        {(subscription) => (
          <>
            <StateFacts subscription={subscription} />
            <Deliveries subscription={subscription} onChanged={changed} />
            <Section title={words.details}>
              <SubscriptionForm
                subscription={subscription}
                onSave={async (values) => {
                  await updateSubscription(subscription, values);
                  notifications.show({ message: texts.form.saved });
                  await changed();
                }}
              />
            </Section>
          </>
        )}
      </Asked>
    </Page>
  );
}

function StateFacts({ subscription }: { readonly subscription: Subscription }): ReactNode {
  const { failing_since: since, waiting } = subscription;
  const lines = [
    [words.state, stateText(subscription)],
    [words.failingSince, since && <Moment key="since" at={since} />],
    [words.waiting, waiting.toLocaleString('en')],
  ] as const;
  return <Facts label={words.state} lines={lines} />;
}

interface SubscriptionProps {
  readonly subscription: Subscription;
  readonly onChanged: () => Promise<void>;
}

function PauseButton({ subscription, onChanged }: SubscriptionProps): ReactNode {
  const set = async (paused: boolean): Promise<void> => {
    await updateSubscription(subscription, { paused });
    await onChanged();
  };
  const resume = useAction({ perform: () => set(false) });
  const { label, title, text } = words.pause;
  if (subscription.paused_at === null) {
    return <ConfirmButton label={label} title={title(subscription.name)} text={text} onConfirm={() => set(true)} />;
  }
  return (
    <Button
      variant="default"
      loading={resume.isPending}
      onClick={() => {
        resume.begin();
      }}
    >
      {words.resume}
    </Button>
  );
}

function SecretButton({ subscription }: { readonly subscription: Subscription }): ReactNode {
  const [issued, setIssued] = useState<string>();
  const { label, title, text } = words.rotate;
  const rotate = async (): Promise<void> => {
    setIssued(await rotateSecret(subscription));
  };
  return (
    <>
      <ConfirmButton label={label} title={title(subscription.name)} text={text} onConfirm={rotate} />
      <KeyDialog
        holder={subscription.name}
        issued={issued}
        onClose={() => {
          setIssued(undefined);
        }}
      />
    </>
  );
}

/** Returns a function that invalidates the cached subscriptions after a write. */
function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['events'] });
}
