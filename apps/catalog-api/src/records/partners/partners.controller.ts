import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { PartnersService } from './partners.service.js';
import { SearchPartners } from './search-partners.dto.js';

/** The export of partners (catalog interface, section 5). */
@Controller('api/partners')
@CallableBy('anonymous', 'user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(ExportInterceptor)
export class PartnersController {
  constructor(private readonly service: PartnersService) {}

  /** The partners that the caller sees, by name, as `{"results"}`. */
  @Get()
  search(@Caller() caller: Principal, @Query() query: SearchPartners): ListRequest {
    return this.service.search(caller, query);
  }

  /** One partner, by its `id_at_source` or `external_id`. */
  @Get(':id')
  get(@Caller() caller: Principal, @Param('id') id: string): RecordRequest {
    return this.service.get(caller, id);
  }
}
