import { InvalidInputError } from '@rdc/errors';
import { Body, Controller, Get, HttpCode, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { FastifyReply } from 'fastify';
import { PrivateResponse } from '../../publishing/documents/private-response.decorator.js';
import { EntityTagInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { ApiTaggedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { ApiIfMatch, Conditions, type RequestConditions } from '../../publishing/writing/write-conditions.decorator.js';
import { AccessRequestSettings } from '../accessreq/accessreq.settings.js';
import { exposureReaders, exposureWriters } from './exposure-callers.js';
import { CreateExposure, DeprecateExposure, ExposureListResponse, ExposureResponse } from './exposure.dto.js';
import { ExposuresService } from './exposures.service.js';

/** Exposures of datasets. */
@Controller('api/datasets/:dataset/exposures')
@CallableBy(...exposureWriters)
@ApiTags('exposures')
export class ExposuresController {
  constructor(
    private readonly service: ExposuresService,
    private readonly http: HttpSettings,
    private readonly accessRequests: AccessRequestSettings,
  ) {}

  @Get()
  @CallableBy(...exposureReaders)
  @ApiOperation({
    operationId: 'listExposures',
    summary: 'List the exposures of a dataset',
    description: 'The list includes deprecated exposures.',
  })
  @ApiTaggedResponse(ExposureListResponse)
  @PrivateResponse()
  @UseInterceptors(EntityTagInterceptor)
  list(@Caller() caller: Principal, @Param('dataset') dataset: string): Promise<ExposureListResponse> {
    return this.service.list(caller, dataset);
  }

  @Get(':id')
  @CallableBy(...exposureReaders)
  @ApiOperation({
    operationId: 'getExposure',
    summary: 'Show an exposure',
    description: 'A deprecated exposure has the reason and the time of the withdrawal.',
  })
  @ApiTaggedResponse(ExposureResponse)
  @PrivateResponse()
  @UseInterceptors(EntityTagInterceptor)
  get(
    @Caller() caller: Principal,
    @Param('dataset') dataset: string,
    @Param('id') id: string,
  ): Promise<ExposureResponse> {
    return this.service.get(caller, dataset, id);
  }

  @Post()
  @ApiOperation({
    operationId: 'exposeDataset',
    summary: 'Expose a dataset to an endpoint',
    description: '`If-Match` contains entity tags of the dataset.',
  })
  @ApiIfMatch()
  @ApiCreatedResponse({ type: ExposureResponse })
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

  @Post(':id/deprecate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'deprecateExposure',
    summary: 'Withdraw a dataset from an endpoint, for a reason',
    description: '`If-Match` contains entity tags of the exposure.',
  })
  @ApiIfMatch()
  @ApiOkResponse({ type: ExposureResponse })
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
