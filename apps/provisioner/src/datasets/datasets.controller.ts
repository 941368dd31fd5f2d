import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByReaders } from '../http/callers.js';
import { requesterOf } from '../imports/requester.js';
import { ApiImport, ApiImportOrPlan, ImportResponder } from '../imports/import.responder.js';
import { ImportPlan } from '../imports/import-plan.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportMode, WaitMode } from '../imports/imports.query.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ApiListAnswer } from '../http/api-list.decorator.js';
import { answerList, linesType, preferredType, type Listing } from '../http/list.answer.js';
import type { SourcePlace } from '../model/source-system.js';
import { DatasetListResponse, DatasetResponse } from './dataset.response.js';
import { ImportDataset, ManifestQuery, SearchDatasetDiff, SearchDatasets } from './datasets.query.js';
import { DatasetsService } from './datasets.service.js';

const textType = 'text/plain; charset=utf-8';

/** The datasets of the source system and their import. */
@ApiTags('datasets')
@Controller('datasets/srcsys')
@CallableByImporters()
export class DatasetsController {
  constructor(
    private readonly datasets: DatasetsService,
    private readonly answer: ImportResponder,
    private readonly limits: SubmissionLimits,
  ) {}

  @Get()
  @CallableByReaders()
  @ApiOperation({ summary: 'List the datasets of the source system' })
  @ApiListAnswer(DatasetListResponse)
  @ApiNotFoundResponse({ description: 'The source does not contain the submission.' })
  async search(
    @Caller() caller: Principal,
    @Query() query: SearchDatasets,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (query.submission !== undefined) this.limits.requireSubmission(caller, query.submission);
    await answerList(request, reply, query, this.visibleTo(caller, await this.datasets.search(query)));
  }

  @Get('diff')
  @CallableByReaders()
  @ApiOperation({ summary: 'List the datasets that are not imported into the storage system' })
  @ApiListAnswer(DatasetListResponse)
  @ApiNotFoundResponse({ description: 'The source does not contain the submission.' })
  async diff(
    @Caller() caller: Principal,
    @Query() query: SearchDatasetDiff,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (query.submission !== undefined) this.limits.requireSubmission(caller, query.submission);
    await answerList(request, reply, query, this.visibleTo(caller, await this.datasets.searchDiff(query)));
  }

  @Post('import')
  @ApiOperation({ summary: 'Import a dataset into data/raw/{dataset_id}/' })
  @ApiImportOrPlan(ImportPlan)
  async import(
    @Caller() caller: Principal,
    @Body() body: ImportDataset,
    @Query() mode: ImportMode,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportPlan | ImportResponse> {
    await this.limits.requireDataset(caller, body.dataset_id);
    return this.answer.sendOrPlan(
      mode,
      reply,
      () => this.datasets.plan(body),
      () => this.datasets.import(body, requesterOf(request)),
    );
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({ summary: 'Get a dataset with its state in source and storage' })
  @ApiOkResponse({ type: DatasetResponse })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<DatasetResponse> {
    await this.limits.requireDataset(caller, id);
    return this.datasets.get(id);
  }

  @Get(':id/manifest')
  @CallableByReaders()
  @ApiOperation({
    summary: 'Get the stored file list of an imported dataset; with `Accept: text/plain`, as lines for `sha256sum -c`',
  })
  @ApiOkResponse({
    description: 'One line for each file.',
    content: {
      'application/x-ndjson': {
        schema: { type: 'string' },
        example:
          '{"path":"data/reads.bam","type":"file","size":12,"mtime_ns":"1700000000000000000","sha256":"5994…"}\n',
      },
      'text/plain': { schema: { type: 'string' }, example: '5994…  data/reads.bam\n' },
    },
  })
  async manifest(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { algorithm }: ManifestQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.limits.requireDataset(caller, id, 'imported dataset');
    const type = algorithm ? textType : preferredType(request, [linesType, textType]);
    const list = await this.datasets.manifest(id, type === linesType ? 'ndjson' : (algorithm ?? 'sha256'));
    void reply.headers({ 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key, Accept' });
    await reply.type(type).send(list);
  }

  @Post(':id/verify')
  @HttpCode(202)
  @ApiOperation({ summary: 'Verify an imported dataset: read its files and compare them with the manifest' })
  @ApiImport()
  async verify(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Query() mode: WaitMode,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportResponse> {
    await this.limits.requireDataset(caller, id);
    return this.answer.send(mode, reply, () => this.datasets.verify(id, requesterOf(request)));
  }

  private visibleTo(
    caller: Principal,
    listing: Listing<SourcePlace, DatasetResponse>,
  ): Listing<SourcePlace, DatasetResponse> {
    return this.limits.narrow(caller, listing, ({ submission }) => submission);
  }
}
