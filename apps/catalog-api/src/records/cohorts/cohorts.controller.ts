import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { ApiListResponse, ApiRecordResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { cohortSchema } from './cohort.schema.js';
import { CohortsService } from './cohorts.service.js';
import { SearchCohorts } from './search-cohorts.dto.js';

/** Exports cohorts. */
@Controller('api/cohorts')
@CallableBy('anonymous', 'unknown', 'user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(StoredResponseInterceptor)
export class CohortsController {
  constructor(private readonly service: CohortsService) {}

  @Get()
  @ApiOperation({ summary: 'List the cohorts that the caller sees' })
  @ApiListResponse('cohorts', cohortSchema)
  search(
    @Caller() caller: Principal,
    @Query() query: SearchCohorts,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StreamedList> {
    return this.service.search(caller, query, conditions);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a cohort, by its `id_at_source` or `external_id`' })
  @ApiRecordResponse(cohortSchema)
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StoredDocument> {
    return this.service.get(caller, id, conditions);
  }
}
