import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { PrivateResponse } from '../../publishing/documents/private-response.decorator.js';
import { EntityTagInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { PermissionsService } from './permissions.service.js';

/** Access permissions of one person. */
@Controller('api/permissions')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:permissions:read')
export class PermissionsController {
  constructor(private readonly service: PermissionsService) {}

  /** Returns the accessions of the datasets that the person may use now. */
  @Get(':user_oidc_id')
  @PrivateResponse()
  @UseInterceptors(EntityTagInterceptor)
  get(@Caller() caller: Principal, @Param('user_oidc_id') subject: string): Promise<readonly string[]> {
    return this.service.get(caller, subject);
  }
}
