import { Command, InvalidArgumentError, type CommandUnknownOpts } from '@rdc/cli';
import { isCron } from '@rdc/settings';
import { cronRule } from '../settings/schedule.settings.js';
import { FixityRound } from '../schedule/fixity-round.js';
import { ImportAll } from '../schedule/import-all.js';
import { ImportSchedule } from '../schedule/import-schedule.js';
import { toScheduleResponse, type ScheduleResponse } from '../schedule/schedule.dto.js';
import { commandRequester } from './command-requester.js';
import { sharedOptions, type CommandContext } from './command.js';

/** `schedule`: shows, sets and runs the imports of the whole diff. */
export function scheduleCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('schedule')
    .description('show, set or run the schedule of imports of the whole diff')
    .addCommand(showCommand(context), { isDefault: true })
    .addCommand(setCommand(context))
    .addCommand(runCommand(context));
}

function showCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('show')
    .description('show the schedule, its next run and the report of its last run')
    .option(...sharedOptions.json)
    .action(async ({ json = false }) => {
      await printSchedule(context, json);
    });
}

function setCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('set')
    .description('set the schedule; workers apply it within ten seconds')
    .argument('<cron>', 'five cron fields in UTC, "never", or "default" for the setting IMPORT_CRON', cronOf)
    .option(...sharedOptions.json)
    .action(async (cron, { json = false }) => {
      const schedule = (await context.open()).get(ImportSchedule);
      if (cron === 'default') await schedule.reset();
      else await schedule.set(cron === 'never' ? null : cron, commandRequester().requested_by);
      await printSchedule(context, json);
    });
}

function runCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('run')
    .description('queue the import of every dataset and submission of the diff now')
    .option(...sharedOptions.json)
    .action(async ({ json = false }) => {
      const { queued, skipped, ...report } = await (
        await context.open()
      )
        .get(ImportAll)
        .run('request', commandRequester());
      if (json) context.print(JSON.stringify({ ...report, queued: queued.length, skipped }));
      else for (const line of runLines({ queued: queued.length, skipped })) context.print(line);
    });
}

function cronOf(text: string): string {
  if (text === 'never' || text === 'default' || isCron(text)) return text;
  throw new InvalidArgumentError(`It ${cronRule}, or "never", or "default".`);
}

async function printSchedule(context: CommandContext, json: boolean): Promise<void> {
  const services = await context.open();
  const schedule = services.get(ImportSchedule);
  const reads = [schedule.rule(), schedule.lastRun(), services.get(FixityRound).state()] as const;
  const response = toScheduleResponse(...(await Promise.all(reads)));
  for (const line of json ? [JSON.stringify(response)] : linesOf(response)) context.print(line);
}

function* linesOf({ cron, origin, changed_by, next_run_at, last_run, fixity }: ScheduleResponse): Generator<string> {
  const from = origin === 'setting' ? 'from IMPORT_CRON' : `set by ${changed_by ?? ''}`;
  yield `imports of the whole diff: ${cron ?? 'never'} (${from}); next run: ${next_run_at ?? 'none'}`;
  if (last_run) {
    yield `last run: ${last_run.finished_at}, by ${last_run.requested_by}`;
    yield* runLines(last_run);
    if (last_run.error !== null) yield `  stopped: ${last_run.error}`;
  }
  const { days, datasets, in_time, differing } = fixity;
  yield days === null
    ? 'periodic verifications: never'
    : `periodic verifications: every ${String(days)} days; ${String(in_time)} of ${String(datasets)} datasets in time`;
  for (const { dataset_id, import_id } of differing)
    yield `  ${dataset_id} differs; see: provisioner status ${import_id}`;
}

function* runLines(run: {
  readonly queued: number;
  readonly skipped: Readonly<Record<string, number>>;
}): Generator<string> {
  yield `  queued: ${String(run.queued)} imports`;
  for (const [reason, count] of Object.entries(run.skipped)) yield `  skipped: ${String(count)} ${reason}`;
}
