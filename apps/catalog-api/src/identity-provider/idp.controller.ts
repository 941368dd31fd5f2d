import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { AccountSyncService } from './account-sync.service.js';
import { ForceSync, type ForceSyncResponse } from './force-sync.dto.js';

/** Synchronisation with the identity provider (catalog interface, section 5). */
@Controller('api/idp')
@CallableBy('global', 'session:admin')
export class IdpController {
  constructor(private readonly service: AccountSyncService) {}

  /** Synchronises all accounts now. The body is not looked at. */
  @Post('force')
  @HttpCode(200)
  async force(@Query() { confirm }: ForceSync): Promise<ForceSyncResponse> {
    return { status: 'Success', ...(await this.service.force(confirm === 'true')) };
  }
}
