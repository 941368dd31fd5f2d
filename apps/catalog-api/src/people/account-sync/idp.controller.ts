import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import { AccountSyncService, synchronisers } from './account-sync.service.js';
import { ForceSync, ForceSyncResponse } from './force-sync.dto.js';

/** Synchronisation with the identity provider. */
@Controller('api/idp')
@CallableBy(...synchronisers)
@ApiTags('identity-provider')
export class IdpController {
  constructor(private readonly service: AccountSyncService) {}

  /** Synchronises all accounts now. The body is ignored. */
  @Post('force')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'synchroniseAccounts',
    summary: 'Synchronise all accounts now; if a synchronisation is running, wait and return its result',
    description:
      'If a run would deactivate more than a tenth of the accounts, and at least ten, it deactivates none unless `confirm=true`.',
  })
  @ApiOkResponse({ type: ForceSyncResponse })
  @ApiErrors(400, 'For example, no identity provider is configured; the answer names the setting.', 'idp.off')
  @ApiServiceUnavailableResponse({ description: 'The identity provider is down. No user was changed.' })
  async force(@Caller() caller: Principal, @Query() { confirm, dry_run }: ForceSync): Promise<ForceSyncResponse> {
    if (dry_run === 'true') return { status: 'Success', ...(await this.service.rehearse(caller)) };
    return { status: 'Success', ...(await this.service.force(caller, confirm === 'true')) };
  }
}
