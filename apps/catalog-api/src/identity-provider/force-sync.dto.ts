import { IsIn, IsOptional } from 'class-validator';
import type { SyncReport } from './sync-report.js';

/** The query of a forced synchronisation. */
export class ForceSync {
  /** `true` lets many people be deactivated at once. */
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'confirm must be true or false' })
  confirm?: string;
}

/** What a synchronisation is answered with. */
export type ForceSyncResponse = { readonly status: 'Success' } & SyncReport;
