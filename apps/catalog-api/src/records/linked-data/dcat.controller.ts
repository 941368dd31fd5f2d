import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiSecurity } from '@nestjs/swagger';
import { CallableByAnyone } from '@rdc/auth';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { ApiLinkedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { DcatService } from './dcat.service.js';
import { catalogSchema, nodeSchema } from './linked-data.openapi.js';

/** Exports the public catalog as linked data: the records that are exposed to a public endpoint. Keys are ignored. */
@Controller('api/dcat')
@CallableByAnyone()
@ApiSecurity({})
@UseInterceptors(StoredResponseInterceptor)
export class DcatController {
  constructor(private readonly service: DcatService) {}

  @Get()
  @ApiOperation({ summary: 'The public catalog and its datasets, as DCAT-AP and schema.org' })
  @ApiLinkedResponse(catalogSchema)
  catalog(@Query() query: ListParameters, @ReadHeaders() conditions: ReadConditions): Promise<StreamedList> {
    return this.service.catalog(query, conditions);
  }

  @Get('datasets/:id')
  @ApiOperation({ summary: 'A public dataset, by its accession' })
  @ApiLinkedResponse(nodeSchema)
  dataset(@Param('id') id: string, @ReadHeaders() conditions: ReadConditions): Promise<StoredDocument> {
    return this.service.get('datasets', id, conditions);
  }

  @Get('projects/:id')
  @ApiOperation({ summary: 'The project of a public dataset, by its accession' })
  @ApiLinkedResponse(nodeSchema)
  project(@Param('id') id: string, @ReadHeaders() conditions: ReadConditions): Promise<StoredDocument> {
    return this.service.get('projects', id, conditions);
  }
}
