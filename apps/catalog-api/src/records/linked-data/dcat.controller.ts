import { Controller, Get, Param, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableByAnyone } from '@rdc/auth';
import type { FastifyRequest } from 'fastify';
import type { ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { IriBase } from './iri-base.js';
import { LinkedData } from './linked-data.js';

/** The public catalog as linked data: what is exposed to a public endpoint, for everybody, whatever key is sent. */
@Controller('api/dcat')
@CallableByAnyone()
@UseInterceptors(ExportInterceptor)
export class DcatController {
  constructor(
    private readonly linkedData: LinkedData,
    private readonly base: IriBase,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The public catalog and its datasets, as DCAT-AP and schema.org' })
  catalog(@Query() query: ListParameters, @Req() request: FastifyRequest): ListRequest {
    return this.linkedData.catalog(query, this.base.of(request));
  }

  @Get('datasets/:id')
  @ApiOperation({ summary: 'A public dataset, by its accession' })
  dataset(@Param('id') id: string, @Req() request: FastifyRequest): RecordRequest {
    return this.linkedData.publicNode('datasets', id, this.base.of(request));
  }

  @Get('projects/:id')
  @ApiOperation({ summary: 'The project of a public dataset, by its accession' })
  project(@Param('id') id: string, @Req() request: FastifyRequest): RecordRequest {
    return this.linkedData.publicNode('projects', id, this.base.of(request));
  }
}
