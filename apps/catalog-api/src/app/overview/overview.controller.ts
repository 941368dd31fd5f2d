import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { OverviewResponse } from './overview.dto.js';
import { OverviewService, overviewReaders } from './overview.service.js';

/** Counts of the records in the catalog. */
@Controller('api/admin/overview')
@CallableBy(...overviewReaders)
@ApiTags('overview')
export class OverviewController {
  constructor(private readonly service: OverviewService) {}

  @Get()
  @ApiOperation({
    operationId: 'getOverview',
    summary: 'Count the records, users, accesses and terms of the catalog',
    description: 'The counts include all records, published or not.',
  })
  @ApiOkResponse({ type: OverviewResponse })
  get(@Caller() caller: Principal): Promise<OverviewResponse> {
    return this.service.get(caller);
  }
}
