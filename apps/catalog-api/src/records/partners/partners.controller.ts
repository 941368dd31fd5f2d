import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { ApiListResponse, ApiRecordResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { partnerSchema } from './partner.schema.js';
import { PartnersService } from './partners.service.js';
import { SearchPartners } from './search-partners.dto.js';

/** Exports partners. */
@Controller('api/partners')
@CallableBy('anonymous', 'user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(StoredResponseInterceptor)
export class PartnersController {
  constructor(private readonly service: PartnersService) {}

  @Get()
  @ApiOperation({ summary: 'List the partners that the caller sees, by name' })
  @ApiListResponse('partners', partnerSchema)
  search(
    @Caller() caller: Principal,
    @Query() query: SearchPartners,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StreamedList> {
    return this.service.search(caller, query, conditions);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a partner, by its `id_at_source` or `external_id`' })
  @ApiRecordResponse(partnerSchema)
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StoredDocument> {
    return this.service.get(caller, id, conditions);
  }
}
