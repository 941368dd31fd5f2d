import { ApiProperty } from '@nestjs/swagger';
import { providerNames } from '../identity-provider/identity-provider.settings.js';
import type { SyncConflict, SyncReport } from './sync-report.js';

const count = { type: 'integer', minimum: 0 } as const;

/** An account that was not imported, with the reason. */
export class IdentitySyncConflict implements SyncConflict {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Identifier of the account at the identity provider; null if the conflict concerns the whole run.',
  })
  subject!: string | null;

  @ApiProperty()
  reason!: string;
}

/** The result of a synchronisation. */
export class IdentitySyncReport implements SyncReport {
  @ApiProperty()
  provider!: string;

  @ApiProperty({ ...count, description: 'Number of accounts that the identity provider listed.' })
  fetched!: number;

  @ApiProperty(count)
  created!: number;

  @ApiProperty(count)
  updated!: number;

  @ApiProperty(count)
  unchanged!: number;

  @ApiProperty({ ...count, description: 'Number of people whose account is disabled or no longer exists.' })
  deactivated!: number;

  @ApiProperty({
    ...count,
    description:
      'Number of accounts without an e-mail address, without a verified address, or disabled and never imported.',
  })
  skipped!: number;

  @ApiProperty({ type: [IdentitySyncConflict] })
  conflicts!: readonly IdentitySyncConflict[];

  @ApiProperty(count)
  duration_ms!: number;
}

/** A successful synchronisation. */
export class IdentitySyncRun extends IdentitySyncReport {
  @ApiProperty({ description: 'The end of the synchronisation.' })
  finished_at!: Date;
}

/** The state of the synchronisation of accounts. */
export class IdentitySyncResponse {
  @ApiProperty({ enum: providerNames, description: 'The identity provider, from `IDP_PROVIDER`.' })
  provider!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The schedule, from `IDP_SYNC_CRON`; null if synchronisations run only on request.',
  })
  schedule!: string | null;

  @ApiProperty({
    type: IdentitySyncRun,
    nullable: true,
    description: 'The latest successful synchronisation; null if there was none.',
  })
  latest!: IdentitySyncRun | null;
}
