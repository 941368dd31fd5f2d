import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { CohortsService } from './cohorts.service.js';
import { SearchCohorts } from './search-cohorts.dto.js';

/** The export of cohorts (catalog interface, section 5). */
@Controller('api/cohorts')
@CallableBy('anonymous', 'unknown', 'user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(ExportInterceptor)
export class CohortsController {
  constructor(private readonly service: CohortsService) {}

  /** The cohorts that the caller sees, as `{"results"}`. */
  @Get()
  search(@Caller() caller: Principal, @Query() query: SearchCohorts): ListRequest {
    return this.service.search(caller, query);
  }

  /** One cohort, by its `id_at_source` or `external_id`. */
  @Get(':id')
  get(@Caller() caller: Principal, @Param('id') id: string): RecordRequest {
    return this.service.get(caller, id);
  }
}
