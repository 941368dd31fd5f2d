import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SearchRemovable } from '../datasets/datasets.query.js';
import { CallableByImporters, CallableByReaders } from '../http/callers.js';
import { requesterOf } from '../imports/requester.js';
import { ApiImportOrPlan, ImportResponder } from '../imports/import.responder.js';
import type { ImportPlan } from '../imports/import-plan.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportMode } from '../imports/imports.query.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ApiListAnswer } from '../http/api-list.decorator.js';
import { answerList, type Listing } from '../http/list.answer.js';
import { RemovableSubmissionListResponse } from './removable-submission.response.js';
import { SubmissionImportResponse } from './submission-import.response.js';
import { SubmissionPlan } from './submission-plan.js';
import { SubmissionListResponse, SubmissionResponse } from './submission.response.js';
import { ImportSubmission, SearchSubmissionDiff, SearchSubmissions } from './submissions.query.js';
import { referenceOf, SubmissionsService } from './submissions.service.js';

/** The submissions of the source system and of the storage, and their import as project collections. */
@ApiTags('submissions')
@Controller('submissions/srcsys')
@CallableByImporters()
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly answer: ImportResponder,
    private readonly limits: SubmissionLimits,
  ) {}

  @Get()
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listSourceSubmissions',
    summary: 'List the submissions of the source system and the imported submissions',
    description:
      'With `Accept: application/x-ndjson`, each item is one line. With `limit`, the header `Link` refers to the next page.',
  })
  @ApiListAnswer(SubmissionListResponse)
  async search(
    @Caller() caller: Principal,
    @Query() query: SearchSubmissions,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerList(request, reply, query, this.visibleTo(caller, await this.submissions.search(query)));
  }

  @Get('diff')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listMissingSubmissions',
    summary: 'List the submissions that are not imported into the storage system',
    description: 'With `incomplete=true`, the list also contains submissions some of whose datasets are missing.',
  })
  @ApiListAnswer(SubmissionListResponse)
  async diff(
    @Caller() caller: Principal,
    @Query() query: SearchSubmissionDiff,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerList(request, reply, query, this.visibleTo(caller, await this.submissions.searchDiff(query)));
  }

  @Get('removable')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listRemovableSubmissions',
    summary: 'List the submissions that can be deleted from the source',
    description: 'The collection is imported and unchanged, and each dataset in the source is removable.',
  })
  @ApiListAnswer(RemovableSubmissionListResponse)
  async removable(
    @Caller() caller: Principal,
    @Query() query: SearchRemovable,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerList(request, reply, query, this.visibleTo(caller, await this.submissions.searchRemovable(query)));
  }

  @Post('import')
  @ApiOperation({
    operationId: 'importSubmission',
    summary: 'Import a submission as a project collection',
    description:
      'With `wait`, the response waits for the end of the import. With `dry_run=true`, the response is the plan.',
  })
  @ApiImportOrPlan(SubmissionPlan, SubmissionImportResponse)
  async import(
    @Caller() caller: Principal,
    @Body() body: ImportSubmission,
    @Query() mode: ImportMode,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportPlan | ImportResponse> {
    this.limits.requireSubmission(caller, referenceOf(body));
    return this.answer.sendOrPlan(
      mode,
      reply,
      () => this.submissions.plan(body, requesterOf(request)),
      () => this.submissions.import(body, requesterOf(request)),
    );
  }

  @Post(':id/arrived')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'announceSubmission',
    summary: 'Announce that a submission was delivered or changed',
    description:
      'The documents and all datasets of the submission are walked at once, also imported ones. The response waits half a second for the walks. A repeated call walks the submission again.',
  })
  @ApiOkResponse({ type: SubmissionResponse, description: 'All deliveries of the submission were walked.' })
  @ApiAcceptedResponse({ type: SubmissionResponse, description: 'The walks continue; get the submission later.' })
  async arrived(
    @Caller() caller: Principal,
    @Param('id') reference: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmissionResponse> {
    this.limits.requireSubmission(caller, reference);
    const { isWalked, submission } = await this.submissions.arrived(reference);
    reply.status(isWalked ? HttpStatus.OK : HttpStatus.ACCEPTED);
    return submission;
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'getSourceSubmission',
    summary: 'Get a submission with its state in source and storage',
    description: 'The state compares the delivery in the source with the project collection in the storage.',
  })
  @ApiOkResponse({ type: SubmissionResponse })
  async get(@Caller() caller: Principal, @Param('id') reference: string): Promise<SubmissionResponse> {
    this.limits.requireSubmission(caller, reference);
    return this.submissions.get(reference);
  }

  private visibleTo<S extends { readonly reference: string }, T>(
    caller: Principal,
    listing: Listing<S, T>,
  ): Listing<S, T> {
    return this.limits.narrow(caller, listing, ({ reference }) => reference);
  }
}
