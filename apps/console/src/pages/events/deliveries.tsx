import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAction } from '../../parts/action.ts';
import { Asked } from '../../parts/asked.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ProblemBox } from '../../parts/problem-box.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { type Delivery, latestDeliveries, sendAgain, sendTest, type Subscription } from './calls.ts';

const words = texts.events;
const own = words.deliveries;

/** The interval at which the list is read again, because deliveries end in the background. */
const refreshMs = 2_000;

interface DeliveriesProps {
  readonly subscription: Subscription;
  /** Is called after an event was added. */
  readonly onChanged: () => Promise<void>;
}

/** The latest deliveries to a receiver, with buttons that send a test event and send an event again. */
export function Deliveries({ subscription, onChanged }: DeliveriesProps): ReactNode {
  const query = useQuery({
    queryKey: ['events', 'deliveries', subscription.id],
    queryFn: ({ signal }) => latestDeliveries(subscription, signal),
    refetchInterval: refreshMs,
  });
  const test = useAction({ perform: () => sendTest(subscription), onDone: () => void onChanged() });
  const button = (
    <Button
      variant="default"
      loading={test.isPending}
      onClick={() => {
        test.begin();
      }}
    >
      {words.sendTest}
    </Button>
  );
  return (
    <Section title={own.title} actions={button}>
      {test.error && <ProblemBox error={test.error} />}
      <Asked query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text>{own.none}</Text>
          ) : (
            <DataTable
              label={own.title}
              rows={items}
              columns={columnsOf(subscription, onChanged)}
              rowKey={({ event_id }) => event_id}
            />
          )
        }
      </Asked>
    </Section>
  );
}

function columnsOf(subscription: Subscription, onChanged: () => Promise<void>): readonly Column<Delivery>[] {
  return [
    { label: own.created, cell: ({ created_at: at }) => <Moment at={at} /> },
    { label: own.event, cell: ({ type }) => nameOf(type) },
    { label: own.state, cell: ({ state }) => own.states[state] },
    { label: own.attempts, cell: ({ attempts }) => attempts, isNumber: true },
    { label: own.error, cell: ({ last_error: error }) => error },
    {
      label: own.again,
      cell: (delivery) => <AgainButton subscription={subscription} delivery={delivery} onChanged={onChanged} />,
    },
  ];
}

interface AgainButtonProps extends DeliveriesProps {
  readonly delivery: Delivery;
}

function AgainButton({ subscription, delivery, onChanged }: AgainButtonProps): ReactNode {
  const again = useAction({ perform: () => sendAgain(subscription, delivery), onDone: () => void onChanged() });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={again.isPending}
      onClick={() => {
        again.begin();
      }}
    >
      {own.again}
    </Button>
  );
}

function nameOf(type: string): string {
  const names: Readonly<Record<string, string>> = { ...words.typeNames, test: words.test };
  return names[type] ?? type;
}
