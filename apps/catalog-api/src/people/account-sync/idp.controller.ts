import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { AccountSyncService, synchronisers } from './account-sync.service.js';
import { ForceSync, ForceSyncResponse } from './force-sync.dto.js';

/** Synchronisation with the identity provider. */
@Controller('api/idp')
@CallableBy(...synchronisers)
export class IdpController {
  constructor(private readonly service: AccountSyncService) {}

  /** Synchronises all accounts now. The body is ignored. */
  @Post('force')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Synchronise all accounts now; if a synchronisation is running, wait and return its result',
  })
  @ApiOkResponse({ type: ForceSyncResponse })
  @ApiBadRequestResponse({
    description: 'For example, no identity provider is configured; the answer names the setting.',
  })
  @ApiServiceUnavailableResponse({ description: 'The identity provider is down. No user was changed.' })
  async force(@Caller() caller: Principal, @Query() { confirm, dry_run }: ForceSync): Promise<ForceSyncResponse> {
    if (dry_run === 'true') return { status: 'Success', ...(await this.service.rehearse(caller)) };
    return { status: 'Success', ...(await this.service.force(caller, confirm === 'true')) };
  }
}
