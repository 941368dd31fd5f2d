import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { IdentitySyncResponse } from './identity-sync.dto.js';
import { IdentitySyncService } from './identity-sync.service.js';

/** The state of the synchronisation with the identity provider. */
@Controller('api/admin/identity-sync')
@ForAdministrators()
export class IdentitySyncController {
  constructor(private readonly service: IdentitySyncService) {}

  @Get()
  @ApiOperation({ summary: 'Show the identity provider and the result of the latest synchronisation' })
  @ApiOkResponse({ type: IdentitySyncResponse })
  get(@Caller() caller: Principal): Promise<IdentitySyncResponse> {
    return this.service.get(caller);
  }
}
