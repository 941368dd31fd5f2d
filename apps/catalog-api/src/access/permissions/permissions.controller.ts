import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { PrivateResponse } from '../../publishing/documents/private-response.decorator.js';
import { EntityTagInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { ApiTaggedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { PermissionsService } from './permissions.service.js';

/** Access permissions of one person. */
@Controller('api/permissions')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:permissions:read')
@ApiTags('permissions')
export class PermissionsController {
  constructor(private readonly service: PermissionsService) {}

  @Get(':user_oidc_id')
  @ApiOperation({
    operationId: 'listPermissions',
    summary: 'List the accessions of the datasets that a person may use now',
    description:
      'An access counts while it is active and its end is in the future. Without the role `admin`, `data_steward` or `auditor`, a personal key or a session reads the permissions of its own user only.',
  })
  @ApiTaggedResponse([String], ['RDC_11', 'RDC_12'])
  @PrivateResponse()
  @UseInterceptors(EntityTagInterceptor)
  get(@Caller() caller: Principal, @Param('user_oidc_id') subject: string): Promise<readonly string[]> {
    return this.service.get(caller, subject);
  }
}
