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

/** The catalog in numbers. */
@Controller('api/admin/overview')
@CallableBy(...overviewReaders)
@ApiTags('administration')
@ApiSecurity('key')
@ApiCookieAuth('session')
@ApiForbiddenResponse({ description: 'The caller may not read every record.' })
export class OverviewController {
  constructor(private readonly service: OverviewService) {}

  @Get()
  @ApiOperation({ summary: 'Count what the catalog holds, and what may need somebody' })
  @ApiOkResponse({ type: OverviewResponse })
  get(@Caller() caller: Principal): Promise<OverviewResponse> {
    return this.service.get(caller);
  }
}
