import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { ApiListResponse, ApiRecordResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { graphSchema, nodeSchema } from '../linked-data/linked-data.openapi.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { datasetSchema } from './dataset.schema.js';
import { DatasetsService } from './datasets.service.js';
import { SearchDatasets } from './search-datasets.dto.js';

/** Exports datasets. */
@Controller('api/datasets')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(StoredResponseInterceptor)
export class DatasetsController {
  constructor(private readonly service: DatasetsService) {}

  @Get()
  @ApiOperation({ summary: 'List the datasets that the caller sees' })
  @ApiListResponse('datasets', datasetSchema, { linked: graphSchema })
  search(
    @Caller() caller: Principal,
    @Query() query: SearchDatasets,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StreamedList> {
    return this.service.search(caller, query, conditions);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a dataset, by its `id_at_source` or `external_id`' })
  @ApiRecordResponse(datasetSchema, { linked: nodeSchema })
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StoredDocument> {
    return this.service.get(caller, id, conditions);
  }
}
