import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { IdentitySyncResponse } from './identity-sync.dto.js';
import { IdentitySyncService } from './identity-sync.service.js';

/** The state of the synchronisation with the identity provider. */
@Controller('api/admin/identity-sync')
@ForAdministrators()
@ApiTags('identity-provider')
export class IdentitySyncController {
  constructor(private readonly service: IdentitySyncService) {}

  @Get()
  @ApiOperation({
    operationId: 'getIdentitySync',
    summary: 'Show the identity provider and the result of the latest synchronisation',
    description: 'The result includes the accounts that conflict with accounts at the identity provider.',
  })
  @ApiOkResponse({ type: IdentitySyncResponse })
  get(@Caller() caller: Principal): Promise<IdentitySyncResponse> {
    return this.service.get(caller);
  }
}
