import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { isCron, nextCronTime } from '@rdc/settings';
import { IsOptional, ValidateBy } from 'class-validator';
import { cronRule } from '../settings/schedule.settings.js';
import type { FixityState } from './fixity-round.js';
import { IsFlag } from '../http/list.query.js';
import type { ImportAllPlan } from './import-all-plan.js';
import type { ImportAllReport } from './import-all-report.js';
import type { ImportRule, LastRun } from './import-schedule.js';

const cronProblem = `${cronRule}, or null for no schedule, or "default" for the setting IMPORT_CRON`;

/** The schedule of imports of the whole diff. */
export class PutSchedule {
  @ApiProperty({ type: String, nullable: true, example: '0 2 * * *', description: `It ${cronProblem}.` })
  @ValidateBy({
    name: 'isScheduleCron',
    validator: {
      validate: (value: unknown) => value === null || value === 'default' || isCron(value),
      defaultMessage: () => `cron ${cronProblem}`,
    },
  })
  cron!: string | null;
}

export class RunMode {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true`: return the plan of the run, and queue nothing.',
    example: 'true',
  })
  @IsOptional()
  @IsFlag()
  dry_run?: 'true' | 'false';
}

const skippedCounts = {
  additionalProperties: { type: 'integer' },
  type: 'object',
  description: 'Number of skipped datasets and submissions by reason: an error code, `importing` or `withdrawn`.',
} as const;

export class LastRunResponse implements LastRun {
  @ApiProperty({ example: '01M7ZW7275ACSPZ1JBFGFVCTZY' })
  id!: string;

  @ApiProperty({ enum: ['schedule', 'request'] })
  trigger!: ImportAllReport['trigger'];

  @ApiProperty()
  requested_by!: string;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiProperty({ format: 'date-time' })
  finished_at!: string;

  @ApiProperty(skippedCounts)
  skipped!: Readonly<Record<string, number>>;

  @ApiProperty({ type: String, nullable: true, description: 'Error that stopped the run; null if the run completed.' })
  error!: string | null;

  @ApiProperty({ description: 'Number of imports that the run queued.' })
  queued!: number;
}

/** A requested run, which a worker will start. */
export class AskedRunResponse {
  @ApiProperty({ example: '01M7ZW7275ACSPZ1JBFGFVCTZY' })
  id!: string;

  @ApiProperty()
  requested_by!: string;
}

/** The plan of a run, based on the latest scan of the source. */
export class ImportAllPlanResponse implements ImportAllPlan {
  @ApiProperty({ enum: [true] })
  dry_run!: true;

  @ApiProperty({ description: 'Number of datasets whose import would be queued.' })
  datasets!: number;

  @ApiProperty({ description: 'Number of submissions whose import would be queued.' })
  submissions!: number;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Bytes that imports can still use; null if the storage has no known limit.',
  })
  free_bytes!: number | null;

  @ApiProperty({ description: 'Whether the storage has enough free space for all imports.' })
  fits!: boolean;

  @ApiProperty(skippedCounts)
  skipped!: Readonly<Record<string, number>>;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the latest scan of the source.',
  })
  as_of!: string | null;
}

class DifferingDataset {
  @ApiProperty()
  dataset_id!: string;

  @ApiProperty({ description: 'Id of the verification; its files contain the differences.' })
  import_id!: string;
}

/** The progress of the periodic verifications. */
export class FixityResponse implements FixityState {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Value of `FIXITY_DAYS`; null if datasets are not verified periodically.',
  })
  days!: number | null;

  @ApiProperty({ description: 'Number of imported datasets.' })
  datasets!: number;

  @ApiProperty({ description: 'Number of datasets that were imported or verified within `days` days.' })
  in_time!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Earliest day on which a dataset was last imported or verified; null if no dataset is imported.',
    format: 'date',
  })
  oldest!: string | null;

  @ApiProperty({
    type: [DifferingDataset],
    description: 'Datasets whose latest verification found a difference or failed.',
  })
  differing!: readonly DifferingDataset[];
}

/** The schedule of imports of the whole diff, and the progress of verifications. */
export class ScheduleResponse {
  @ApiProperty({ type: String, nullable: true, description: 'Cron pattern in UTC; null if there is no schedule.' })
  cron!: string | null;

  @ApiProperty({
    enum: ['setting', 'stored'],
    description:
      '`setting`: the setting `IMPORT_CRON`. `stored`: a schedule that was set with `PUT` and replaces the setting.',
  })
  origin!: ImportRule['origin'];

  @ApiPropertyOptional({ description: 'Name of the caller who set the schedule; only if it is stored.' })
  changed_by?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  changed_at?: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_run_at!: string | null;

  @ApiProperty({ type: LastRunResponse, nullable: true })
  last_run!: LastRunResponse | null;

  @ApiProperty({ type: FixityResponse })
  fixity!: FixityResponse;
}

export function toScheduleResponse(
  { cron, origin, changed_by, changed_at }: ImportRule,
  last_run: LastRun | null,
  fixity: FixityState,
): ScheduleResponse {
  const next_run_at = cron === null ? null : nextCronTime(cron).toISOString();
  return { cron, origin, ...(changed_by !== undefined && { changed_by, changed_at }), next_run_at, last_run, fixity };
}
