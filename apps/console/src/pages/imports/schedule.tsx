import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, provisioner } from '../../api/client.ts';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { keys, type Schedule as ScheduleAnswer } from './calls.ts';
import { ImportAllButton } from './import-buttons.tsx';
import { RunLink } from './links.tsx';
import { skippedText } from './plans.ts';
import { countText, sizeText } from './quantities.ts';
import { ScheduleForm } from './schedule-form.tsx';

const { schedule: words } = texts.imports;

/** The page of the schedule, with its last run and the free storage space. */
export default function Schedule(): ReactNode {
  const schedule = useQuery({
    queryKey: [keys.schedule],
    queryFn: ({ signal }) => bodyOf(provisioner.GET('/imports/schedule', { signal })),
  });
  return (
    <Page title={words.title} actions={<ImportAllButton />}>
      <Asked query={schedule}>
        {(answer) => (
          <>
            <When schedule={answer} />
            <LastRun run={answer.last_run} />
            <Fixity fixity={answer.fixity} />
          </>
        )}
      </Asked>
      <Room />
    </Page>
  );
}

function When({ schedule }: { readonly schedule: ScheduleAnswer }): ReactNode {
  const may = useMay();
  const { cron, origin, changed_by: by, changed_at: changedAt, next_run_at: next } = schedule;
  return (
    <Section title={words.when}>
      <Facts
        label={words.when}
        lines={[
          [words.time, cron ?? words.never],
          [words.next, next === null ? words.never : <Moment at={next} />],
          [words.origin, origin === 'setting' ? words.bySetting : by],
          [words.changedAt, changedAt !== undefined && <Moment at={changedAt} />],
        ]}
      />
      {may('imports.write') && <ScheduleForm key={cron} schedule={schedule} />}
    </Section>
  );
}

function LastRun({ run }: { readonly run: ScheduleAnswer['last_run'] }): ReactNode {
  if (!run) {
    return (
      <Section title={words.lastRun}>
        <Text>{words.neverRun}</Text>
      </Section>
    );
  }
  return (
    <Section title={words.lastRun}>
      <Facts
        label={words.lastRun}
        lines={[
          [words.runBy, run.requested_by],
          [texts.imports.fields.finishedAt, <Moment key="finished" at={run.finished_at} />],
          [words.queued, countText(run.queued)],
          [words.skipped, skippedText(run.skipped)],
          [words.error, run.error],
        ]}
      />
    </Section>
  );
}

function Room(): ReactNode {
  const room = useQuery({
    queryKey: [keys.schedule, 'room'],
    queryFn: ({ signal }) => bodyOf(provisioner.GET('/imports/storage', { signal })),
  });
  return (
    <Section title={words.room}>
      <Asked query={room}>
        {({ free_bytes: free, reserved_bytes: reserved, capacity_bytes: capacity }) =>
          free === null ? (
            <Text>{words.roomUnknown}</Text>
          ) : (
            <Facts
              label={words.room}
              lines={[
                [words.free, sizeText(free)],
                [words.reserved, sizeText(reserved)],
                [words.capacity, sizeText(capacity)],
              ]}
            />
          )
        }
      </Asked>
    </Section>
  );
}

function Fixity({ fixity }: { readonly fixity: ScheduleAnswer['fixity'] }): ReactNode {
  const { days, datasets, in_time: inTime, oldest, differing } = fixity;
  return (
    <Section title={words.fixity}>
      {days === null && <Text>{words.fixityOff}</Text>}
      <Facts
        label={words.fixity}
        lines={[
          [words.days, days !== null && words.inDays(days)],
          [words.inTime, days !== null && texts.imports.of(countText(inTime), countText(datasets))],
          [words.oldest, oldest],
          [words.differing, differing.length === 0 ? words.none : <Differing key="differing" differing={differing} />],
        ]}
      />
    </Section>
  );
}

function Differing({ differing }: { readonly differing: ScheduleAnswer['fixity']['differing'] }): ReactNode {
  return (
    <List>
      {differing.map(({ dataset_id: id, import_id: run }) => (
        <List.Item key={run}>
          <RunLink id={run}>{id}</RunLink>
        </List.Item>
      ))}
    </List>
  );
}
