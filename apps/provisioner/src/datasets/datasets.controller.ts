import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByPurgers, CallableByReaders, CallableByWithdrawers } from '../http/callers.js';
import { requesterOf } from '../imports/requester.js';
import { ApiImport, ApiImportOrPlan, ImportResponder } from '../imports/import.responder.js';
import { ImportPlan } from '../imports/import-plan.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportMode, WaitMode } from '../imports/imports.query.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ApiListAnswer } from '../http/api-list.decorator.js';
import { answerList, linesType, preferredType, type Listing } from '../http/list.answer.js';
import { DatasetListResponse, DatasetResponse } from './dataset.response.js';
import {
  ImportDataset,
  ManifestQuery,
  PurgeDataset,
  SearchDatasetDiff,
  SearchDatasets,
  SearchRemovableDatasets,
  SearchWithdrawn,
  WithdrawDataset,
} from './datasets.query.js';
import { DatasetsService } from './datasets.service.js';
import { RemovableDatasetListResponse } from './removable-dataset.response.js';
import { WithdrawnDatasetListResponse } from './withdrawn-dataset.response.js';
import { WithdrawnDatasets } from './withdrawn-datasets.js';

const textType = 'text/plain; charset=utf-8';

/** The datasets of the source system and of the storage. */
@ApiTags('datasets')
@Controller('datasets/srcsys')
@CallableByImporters()
export class DatasetsController {
  constructor(
    private readonly datasets: DatasetsService,
    private readonly answer: ImportResponder,
    private readonly limits: SubmissionLimits,
    private readonly withdrawn: WithdrawnDatasets,
  ) {}

  @Get()
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listSourceDatasets',
    summary: 'List the datasets of the source system and the imported datasets',
    description:
      'With `Accept: application/x-ndjson`, each item is one line. With `limit`, the header `Link` refers to the next page.',
  })
  @ApiListAnswer(DatasetListResponse)
  @ApiNotFoundResponse({ description: 'Neither the source nor the storage contains the submission.' })
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
  @ApiOperation({
    operationId: 'listMissingDatasets',
    summary: 'List the datasets that are not imported into the storage system',
    description: 'With `changed=true`, the list also contains datasets that changed in the source since their import.',
  })
  @ApiListAnswer(DatasetListResponse)
  @ApiNotFoundResponse({ description: 'Neither the source nor the storage contains the submission.' })
  async diff(
    @Caller() caller: Principal,
    @Query() query: SearchDatasetDiff,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (query.submission !== undefined) this.limits.requireSubmission(caller, query.submission);
    await answerList(request, reply, query, this.visibleTo(caller, await this.datasets.searchDiff(query)));
  }

  @Get('removable')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listRemovableDatasets',
    summary: 'List the datasets whose files in the source can be deleted',
    description:
      'The storage has the same files: each dataset is imported, has not changed in the source by the latest scan, and had no difference at its latest verification.',
  })
  @ApiListAnswer(RemovableDatasetListResponse)
  async removable(
    @Caller() caller: Principal,
    @Query() query: SearchRemovableDatasets,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (query.submission !== undefined) this.limits.requireSubmission(caller, query.submission);
    await answerList(request, reply, query, this.visibleTo(caller, await this.datasets.searchRemovable(query)));
  }

  @Get('withdrawn')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listWithdrawnDatasets',
    summary: 'List the withdrawn datasets',
    description: 'Contains the datasets that were purged or imported again, too.',
  })
  @ApiListAnswer(WithdrawnDatasetListResponse)
  async searchWithdrawn(
    @Caller() caller: Principal,
    @Query() query: SearchWithdrawn,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (query.submission !== undefined) this.limits.requireSubmission(caller, query.submission);
    await answerList(request, reply, query, this.visibleTo(caller, await this.withdrawn.search(query)));
  }

  @Post('import')
  @ApiOperation({
    operationId: 'importDataset',
    summary: 'Import a dataset into data/raw/{dataset_id}/',
    description:
      'With `wait`, the response waits for the end of the import. With `dry_run=true`, the response is the plan.',
  })
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
      () => this.datasets.plan(body, requesterOf(request)),
      () => this.datasets.import(body, requesterOf(request)),
    );
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'getSourceDataset',
    summary: 'Get a dataset with its state in source and storage',
    description: 'The state compares the delivery in the source with the copy in the storage.',
  })
  @ApiOkResponse({ type: DatasetResponse })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<DatasetResponse> {
    await this.limits.requireDataset(caller, id);
    return this.datasets.get(id);
  }

  @Get(':id/manifest')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'getDatasetManifest',
    summary: 'Get the stored file list of an imported dataset; with `Accept: text/plain`, as lines for `sha256sum -c`',
    description: 'The manifest lists every file of the copy with its size and checksum.',
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
  @ApiOperation({
    operationId: 'verifyDataset',
    summary: 'Verify an imported dataset: read its files and compare them with the manifest',
    description: 'The verification is an import of the kind `verify`: follow it by its `id`.',
  })
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

  @Post(':id/withdraw')
  @HttpCode(202)
  @CallableByWithdrawers()
  @ApiOperation({
    operationId: 'withdrawDataset',
    summary: 'Withdraw an imported dataset',
    description: 'Its files are moved aside and kept. A dataset is withdrawn as a whole or not at all.',
  })
  @ApiImport()
  async withdraw(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { reason }: WithdrawDataset,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Query() mode: WaitMode,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportResponse> {
    await this.limits.requireDataset(caller, id, 'imported dataset');
    return this.answer.send(mode, reply, () => this.withdrawn.withdraw(id, reason, requesterOf(request)));
  }

  @Post(':id/purge')
  @HttpCode(202)
  @CallableByPurgers()
  @ApiOperation({
    operationId: 'purgeDataset',
    summary: 'Remove the files of a withdrawn dataset permanently',
    description: 'This cannot be undone. The record of the withdrawal stays and contains the purge.',
  })
  @ApiImport()
  async purge(
    @Param('id') id: string,
    @Body() body: PurgeDataset,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Query() mode: WaitMode,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportResponse> {
    return this.answer.send(mode, reply, () => this.withdrawn.purge(id, body, requesterOf(request)));
  }

  private visibleTo<S extends { readonly submission: string }, T>(
    caller: Principal,
    listing: Listing<S, T>,
  ): Listing<S, T> {
    return this.limits.narrow(caller, listing, ({ submission }) => submission);
  }
}
