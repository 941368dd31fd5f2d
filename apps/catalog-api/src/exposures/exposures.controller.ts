import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { FastifyReply } from 'fastify';
import { CatalogSettings } from '../settings.js';
import { CreateExposure, DeprecateExposure, type ExposureResponse } from './create-exposure.dto.js';
import { ExposuresService } from './exposures.service.js';

/** Exposures of datasets (catalog interface, section 6). */
@Controller('api/datasets/:dataset/exposures')
@CallableBy('global', 'session:admin', 'session:data_steward')
export class ExposuresController {
  constructor(
    private readonly service: ExposuresService,
    private readonly settings: CatalogSettings,
  ) {}

  /** The exposures of a dataset, as `{"results"}`. */
  @Get()
  list(@Param('dataset') dataset: string): Promise<{ results: ExposureResponse[] }> {
    return this.service.list(dataset);
  }

  /** One exposure. */
  @Get(':id')
  get(@Param('dataset') dataset: string, @Param('id') id: string): Promise<ExposureResponse> {
    return this.service.get(dataset, id);
  }

  /** Exposes a dataset to an endpoint. */
  @Post()
  async create(
    @Caller() caller: Principal,
    @Param('dataset') dataset: string,
    @Body() wanted: CreateExposure,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExposureResponse> {
    const made = await this.service.create(caller, dataset, wanted);
    const base = this.settings.BASE_PATH ?? '';
    void reply.header('Location', `${base}/api/datasets/${encodeURIComponent(dataset)}/exposures/${String(made.id)}`);
    return made;
  }

  /** Withdraws a dataset from an endpoint, for a reason. */
  @Post(':id/deprecate')
  @HttpCode(200)
  deprecate(
    @Caller() caller: Principal,
    @Param('dataset') dataset: string,
    @Param('id') id: string,
    @Body() reason: DeprecateExposure,
  ): Promise<ExposureResponse> {
    return this.service.deprecate(caller, dataset, id, reason);
  }
}
