import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../administration/administrator.js';
import { OverviewResponse } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** The catalog in numbers. */
@Controller('api/admin/overview')
@ForAdministrators()
export class OverviewController {
  constructor(private readonly service: OverviewService) {}

  @Get()
  @ApiOperation({ summary: 'Count what the catalog holds, and what may need somebody' })
  @ApiOkResponse({ type: OverviewResponse })
  get(@Caller() caller: Principal): Promise<OverviewResponse> {
    return this.service.get(caller);
  }
}
