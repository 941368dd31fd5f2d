import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { cronRule, isCron, nextTime } from '../settings/cron.js';
import type { FixityState } from './fixity-round.js';
import { IsFlag } from '../http/list.query.js';
import type { ImportAllPlan } from './import-all-plan.js';
import type { ImportAllReport } from './import-all-report.js';
import type { ImportRule, LastRun } from './import-schedule.js';

const ruleOfPut = `${cronRule}, or null for never, or "default" for what IMPORT_CRON says`;

/** When everything in the diff shall be imported. */
export class PutSchedule {
  @ApiProperty({ type: String, nullable: true, example: '0 2 * * *', description: `It ${ruleOfPut}.` })
  @ValidateBy({
    name: 'isScheduleCron',
    validator: {
      validate: (value: unknown) => value === null || value === 'default' || isCron(value),
      defaultMessage: () => `cron ${ruleOfPut}`,
    },
  })
  cron!: string | null;
}

/** How everything in the diff is imported. */
export class RunMode {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: '`true`: say what would be queued, and do nothing.' })
  @IsOptional()
  @IsFlag()
  dry_run?: 'true' | 'false';
}

const skippedCounts = {
  additionalProperties: { type: 'integer' },
  type: 'object',
  description: 'How many were left alone, by why: an error code, `importing` or `withdrawn`.',
} as const;

/** What the last run came to. */
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

  @ApiProperty({ type: String, nullable: true, description: 'Why it stopped before its end, if it did.' })
  error!: string | null;

  @ApiProperty({ description: 'Imports that it queued.' })
  queued!: number;
}

/** A run that was asked for, and that a worker will begin. */
export class AskedRunResponse {
  @ApiProperty({ example: '01M7ZW7275ACSPZ1JBFGFVCTZY' })
  id!: string;

  @ApiProperty()
  requested_by!: string;
}

/** What importing everything in the diff would do, by the last scan of the source. */
export class ImportAllPlanResponse implements ImportAllPlan {
  @ApiProperty({ enum: [true] })
  dry_run!: true;

  @ApiProperty({ description: 'Datasets whose import would be queued.' })
  datasets!: number;

  @ApiProperty({ description: 'Submissions whose import would be queued.' })
  submissions!: number;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Bytes that imports may still take; null where the storage cannot tell.',
  })
  free_bytes!: number | null;

  @ApiProperty({ description: 'Whether there is room for all of it.' })
  fits!: boolean;

  @ApiProperty(skippedCounts)
  skipped!: Readonly<Record<string, number>>;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', description: 'When the source was last scanned.' })
  as_of!: string | null;
}

class DifferingDataset {
  @ApiProperty()
  dataset_id!: string;

  @ApiProperty({ description: 'The verification; its files say what differs.' })
  import_id!: string;
}

/** How far the verifications are that `FIXITY_DAYS` asks for. */
export class FixityResponse implements FixityState {
  @ApiProperty({ type: Number, nullable: true, description: '`FIXITY_DAYS`; null when it is not set.' })
  days!: number | null;

  @ApiProperty({ description: 'Imported datasets.' })
  datasets!: number;

  @ApiProperty({ description: 'Those imported or verified within these days.' })
  in_time!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The day whose turn it is the longest ago.',
    format: 'date',
  })
  oldest!: string | null;

  @ApiProperty({ type: [DifferingDataset], description: 'Whose latest verification found a difference or failed.' })
  differing!: readonly DifferingDataset[];
}

/** When everything in the diff is imported, and how far the verifications are. */
export class ScheduleResponse {
  @ApiProperty({ type: String, nullable: true, description: 'Cron fields in UTC; null: never.' })
  cron!: string | null;

  @ApiProperty({ enum: ['setting', 'stored'], description: '`stored`: what was set here, in place of `IMPORT_CRON`.' })
  origin!: ImportRule['origin'];

  @ApiPropertyOptional({ description: 'Who set it; only where it is stored.' })
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

/** Builds the answer of the schedule. */
export function toScheduleResponse(
  { cron, origin, changed_by, changed_at }: ImportRule,
  last_run: LastRun | null,
  fixity: FixityState,
): ScheduleResponse {
  const next_run_at = cron === null ? null : nextTime(cron);
  return { cron, origin, ...(changed_by !== undefined && { changed_by, changed_at }), next_run_at, last_run, fixity };
}
