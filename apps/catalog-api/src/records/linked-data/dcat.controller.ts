import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
@UseInterceptors(StoredResponseInterceptor)
@ApiTags('linked-data')
export class DcatController {
  constructor(private readonly service: DcatService) {}

  @Get()
  @ApiOperation({
    operationId: 'getPublicCatalog',
    summary: 'The public catalog and its datasets, as DCAT-AP and schema.org',
    description:
      'No key is required. The catalog contains the datasets that are exposed to a public endpoint. With `limit`, `hydra:view` and the header `Link` refer to the next page.',
  })
  @ApiLinkedResponse(catalogSchema)
  catalog(@Query() query: ListParameters, @ReadHeaders() conditions: ReadConditions): Promise<StreamedList> {
    return this.service.catalog(query, conditions);
  }

  @Get('datasets/:id')
  @ApiOperation({
    operationId: 'getPublicDataset',
    summary: 'A public dataset, by its accession',
    description:
      'No key is required. The address is the identifier of the dataset in RDF. A browser shows a page for people.',
  })
  @ApiLinkedResponse(nodeSchema, { hasPage: true })
  dataset(@Param('id') id: string, @ReadHeaders() conditions: ReadConditions): Promise<StoredDocument> {
    return this.service.get('datasets', id, conditions);
  }

  @Get('projects/:id')
  @ApiOperation({
    operationId: 'getPublicProject',
    summary: 'The project of a public dataset, by its accession',
    description: 'No key is required. The address is the identifier of the project in RDF.',
  })
  @ApiLinkedResponse(nodeSchema)
  project(@Param('id') id: string, @ReadHeaders() conditions: ReadConditions): Promise<StoredDocument> {
    return this.service.get('projects', id, conditions);
  }
}
