import { Controller, Get, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../administration/administrator.js';
import { AuditPage, SearchAudit } from './audit-search.dto.js';
import { AuditService } from './audit.service.js';

/** Who changed what. */
@Controller('api/admin/audit')
@ForAdministrators()
export class AuditController {
  constructor(private readonly service: AuditService) {}

  @Get()
  @ApiOperation({ summary: 'Read the audit trail, newest first' })
  @ApiOkResponse({ type: AuditPage })
  @ApiBadRequestResponse()
  search(@Caller() caller: Principal, @Query() query: SearchAudit): Promise<AuditPage> {
    return this.service.search(caller, query);
  }
}
