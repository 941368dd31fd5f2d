import { Controller, Get } from '@nestjs/common';
import {
  ApiCookieAuth,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { OverviewResponse } from './overview.dto.js';
import { OverviewService, overviewReaders } from './overview.service.js';

/** Counts of the records in the catalog. */
@Controller('api/admin/overview')
@CallableBy(...overviewReaders)
@ApiTags('administration')
@ApiSecurity('key')
@ApiCookieAuth('session')
@ApiForbiddenResponse({ description: 'The caller is not an administrator, data steward or auditor.' })
export class OverviewController {
  constructor(private readonly service: OverviewService) {}

  @Get()
  @ApiOperation({ summary: 'Count the records, users, accesses and terms of the catalog' })
  @ApiOkResponse({ type: OverviewResponse })
  get(@Caller() caller: Principal): Promise<OverviewResponse> {
    return this.service.get(caller);
  }
}
