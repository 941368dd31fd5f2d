import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { AccountSyncService, synchronisers } from './account-sync.service.js';
import { ForceSync, ForceSyncResponse } from './force-sync.dto.js';

/** Synchronisation with the identity provider (catalog interface, section 5). */
@Controller('api/idp')
@CallableBy(...synchronisers)
export class IdpController {
  constructor(private readonly service: AccountSyncService) {}

  /** Synchronises all accounts now. The body is not looked at. */
  @Post('force')
  @HttpCode(200)
  @ApiOperation({ summary: 'Synchronise all accounts now; a call while that is done waits for the same answer' })
  @ApiOkResponse({ type: ForceSyncResponse })
  @ApiBadRequestResponse({ description: 'Among others: there is no identity provider, by the setting that is named.' })
  @ApiServiceUnavailableResponse({ description: 'The identity provider is down; nothing was changed.' })
  async force(@Caller() caller: Principal, @Query() { confirm }: ForceSync): Promise<ForceSyncResponse> {
    return { status: 'Success', ...(await this.service.force(caller, confirm === 'true')) };
  }
}
