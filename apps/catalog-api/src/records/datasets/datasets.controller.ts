import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { LinkedDataInterceptor } from '../linked-data/linked-data.interceptor.js';
import { DatasetsService } from './datasets.service.js';
import { SearchDatasets } from './search-datasets.dto.js';

/** The export of datasets (catalog interface, section 5). */
@Controller('api/datasets')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(ExportInterceptor, LinkedDataInterceptor)
export class DatasetsController {
  constructor(private readonly service: DatasetsService) {}

  /** The datasets that the caller sees, as `{"$schema", "items"}`. */
  @Get()
  search(@Caller() caller: Principal, @Query() query: SearchDatasets): ListRequest {
    return this.service.search(caller, query);
  }

  /** One dataset, by its `id_at_source` or `external_id`. */
  @Get(':id')
  get(@Caller() caller: Principal, @Param('id') id: string): RecordRequest {
    return this.service.get(caller, id);
  }
}
