import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { FastifyRequest } from 'fastify';
import { DatasetReadinessResponse } from './dataset-readiness.dto.js';
import { DatasetReadinessService } from './dataset-readiness.service.js';

/** The facts of a dataset that the national catalogue of health datasets requires. */
@Controller('api/datasets/:id/readiness')
@CallableBy('user', 'session', 'global', 'scope:records:read')
@ApiTags('datasets')
export class DatasetReadinessController {
  constructor(private readonly service: DatasetReadinessService) {}

  @Get()
  @ApiOperation({
    operationId: 'getDatasetReadiness',
    summary: 'Show which facts of a dataset the national catalogue requires, and which are stated',
    description:
      'The facts are those that HealthDCAT-AP requires and that the catalog cannot derive. Each fact names the members of the record or the settings that state it. The dataset need not be exposed.',
  })
  @ApiOkResponse({ type: DatasetReadinessResponse })
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<DatasetReadinessResponse> {
    return this.service.get(caller, id, request.servedOrigin);
  }
}
