import { ApiProperty } from '@nestjs/swagger';
import { providerNames } from '../../platform/settings/provider-name.js';
import type { SyncConflict, SyncReport } from './sync-report.js';

const count = { type: 'integer', minimum: 0 } as const;

/** An account that could not be brought in, and why. */
export class IdentitySyncConflict implements SyncConflict {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its identifier at the identity provider; null for what concerns the whole run.',
  })
  subject!: string | null;

  @ApiProperty()
  reason!: string;
}

/** What a synchronisation found and did. */
export class IdentitySyncReport implements SyncReport {
  @ApiProperty()
  provider!: string;

  @ApiProperty({ ...count, description: 'Accounts that the identity provider listed.' })
  fetched!: number;

  @ApiProperty(count)
  created!: number;

  @ApiProperty(count)
  updated!: number;

  @ApiProperty(count)
  unchanged!: number;

  @ApiProperty({ ...count, description: 'People whose account is disabled or gone.' })
  deactivated!: number;

  @ApiProperty({
    ...count,
    description: 'Accounts that are none of a person: without e-mail, not verified, or disabled and never known.',
  })
  skipped!: number;

  @ApiProperty({ type: [IdentitySyncConflict] })
  conflicts!: readonly IdentitySyncConflict[];

  @ApiProperty(count)
  duration_ms!: number;
}

/** A synchronisation that has ended well. */
export class IdentitySyncRun extends IdentitySyncReport {
  @ApiProperty({ description: 'When it ended.' })
  finished_at!: Date;
}

/** How people's accounts come to the catalog. */
export class IdentitySyncResponse {
  @ApiProperty({ enum: providerNames, description: 'Where accounts come from, by `IDP_PROVIDER`.' })
  provider!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'When it is done by itself, by `IDP_SYNC_CRON`; null: only when it is asked for.',
  })
  schedule!: string | null;

  @ApiProperty({
    type: IdentitySyncRun,
    nullable: true,
    description: 'The latest that ended well; null when there was none.',
  })
  latest!: IdentitySyncRun | null;
}
