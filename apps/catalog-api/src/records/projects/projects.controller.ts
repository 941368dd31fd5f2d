import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { ApiListResponse, ApiRecordResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { graphSchema, nodeSchema } from '../linked-data/linked-data.openapi.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { projectSchema } from './project.schema.js';
import { ProjectsService } from './projects.service.js';
import { SearchProjects } from './search-projects.dto.js';

/** Exports projects. */
@Controller('api/projects')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(StoredResponseInterceptor)
export class ProjectsController {
  constructor(private readonly service: ProjectsService) {}

  @Get()
  @ApiOperation({ summary: 'List the projects that the caller sees' })
  @ApiListResponse('projects', projectSchema, { linked: graphSchema })
  search(
    @Caller() caller: Principal,
    @Query() query: SearchProjects,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StreamedList> {
    return this.service.search(caller, query, conditions);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a project, by its `id_at_source` or `external_id`' })
  @ApiRecordResponse(projectSchema, { linked: nodeSchema })
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StoredDocument> {
    return this.service.get(caller, id, conditions);
  }
}
