import { Controller, Get, Query } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { AuditPage, SearchAudit } from './audit-search.dto.js';
import { AuditService } from './audit.service.js';

/** Serves the audit trail. */
@Controller('api/admin/audit')
@CallableBy('global', 'session:admin', 'session:auditor', 'session:data_steward', 'scope:audit:read')
@ApiTags('audit')
@ApiForbiddenResponse({ description: 'The caller may not read the trail, or the trail of this kind of record.' })
export class AuditController {
  constructor(private readonly service: AuditService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAuditEntries',
    summary: 'Read the audit trail, newest first',
    description: 'Administrators and auditors read all entries. Data stewards read the entries of catalog records.',
  })
  @ApiOkResponse({ type: AuditPage })
  search(@Caller() caller: Principal, @Query() query: SearchAudit): Promise<AuditPage> {
    return this.service.search(caller, query);
  }
}
