import { InvalidInputError } from '@rdc/errors';
import { Body, Controller, Get, HttpCode, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { FastifyReply } from 'fastify';
import { PrivateResponse } from '../../publishing/documents/private-response.decorator.js';
import { EntityTagInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { Conditions, type RequestConditions } from '../../publishing/writing/write-conditions.decorator.js';
import { AccessRequestSettings } from '../accessreq/accessreq.settings.js';
import { exposureReaders, exposureWriters } from './exposure-callers.js';
import { CreateExposure, DeprecateExposure, type ExposureResponse } from './exposure.dto.js';
import { ExposuresService } from './exposures.service.js';

/** Exposures of datasets. */
@Controller('api/datasets/:dataset/exposures')
@CallableBy(...exposureWriters)
export class ExposuresController {
  constructor(
    private readonly service: ExposuresService,
    private readonly http: HttpSettings,
    private readonly accessRequests: AccessRequestSettings,
  ) {}

  /** Lists the exposures of a dataset, as `{"results"}`. */
  @Get()
  @CallableBy(...exposureReaders)
  @PrivateResponse()
  @UseInterceptors(EntityTagInterceptor)
  list(@Caller() caller: Principal, @Param('dataset') dataset: string): Promise<{ results: ExposureResponse[] }> {
    return this.service.list(caller, dataset);
  }

  /** Returns one exposure. */
  @Get(':id')
  @CallableBy(...exposureReaders)
  @PrivateResponse()
  @UseInterceptors(EntityTagInterceptor)
  get(
    @Caller() caller: Principal,
    @Param('dataset') dataset: string,
    @Param('id') id: string,
  ): Promise<ExposureResponse> {
    return this.service.get(caller, dataset, id);
  }

  /** Exposes a dataset to an endpoint. `If-Match` holds tags of the dataset. */
  @Post()
  async create(
    @Caller() caller: Principal,
    @Param('dataset') dataset: string,
    @Body() input: CreateExposure,
    @Conditions() { ifMatch, origin }: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExposureResponse> {
    this.requireForm(input);
    const expected = { ifMatch, onlyNew: false, origin };
    const created = await this.service.create(caller, dataset, input, expected);
    const base = this.http.BASE_PATH ?? '';
    void reply.header(
      'Location',
      `${base}/api/datasets/${encodeURIComponent(dataset)}/exposures/${String(created.id)}`,
    );
    return created;
  }

  /** Withdraws a dataset from an endpoint, for a reason. `If-Match` holds tags of the exposure. */
  @Post(':id/deprecate')
  @HttpCode(200)
  deprecate(
    @Caller() caller: Principal,
    @Param('dataset') dataset: string,
    @Param('id') id: string,
    @Body() { reason }: DeprecateExposure,
    @Conditions() { ifMatch }: RequestConditions,
  ): Promise<ExposureResponse> {
    return this.service.deprecate(caller, dataset, id, { reason, ifMatch });
  }

  /** @throws InvalidInputError if an access-request system is connected and the exposure names no form of the system */
  private requireForm({ form_id }: CreateExposure): void {
    const { ACCESSREQ_URL, ACCESSREQ_INTEGRATION_ENABLED } = this.accessRequests;
    if (form_id !== undefined || (ACCESSREQ_URL === undefined && !ACCESSREQ_INTEGRATION_ENABLED)) return;
    const problem = 'must be the number of a form, because an access-request system is connected';
    throw new InvalidInputError([{ field: 'form_id', problem }]);
  }
}
