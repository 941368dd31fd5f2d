import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByReaders } from '../http/callers.js';
import { requesterOf } from '../imports/requester.js';
import { ApiImportOrPlan, ImportResponder } from '../imports/import.responder.js';
import type { ImportPlan } from '../imports/import-plan.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportMode } from '../imports/imports.query.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ApiListAnswer } from '../http/api-list.decorator.js';
import { answerList, type Listing } from '../http/list.answer.js';
import type { ListedSubmission } from '../model/source-system.js';
import { SubmissionPlan } from './submission-plan.js';
import { SubmissionListResponse, SubmissionResponse } from './submission.response.js';
import { ImportSubmission, SearchSubmissionDiff, SearchSubmissions } from './submissions.query.js';
import { referenceOf, SubmissionsService } from './submissions.service.js';

/** The submissions of the source system and their import as project collections. */
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
  @ApiOperation({ summary: 'List the submissions of the source system' })
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
  @ApiOperation({ summary: 'List the submissions that are not imported into the storage system' })
  @ApiListAnswer(SubmissionListResponse)
  async diff(
    @Caller() caller: Principal,
    @Query() query: SearchSubmissionDiff,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerList(request, reply, query, this.visibleTo(caller, await this.submissions.searchDiff(query)));
  }

  @Post('import')
  @ApiOperation({ summary: 'Import a submission as a project collection' })
  @ApiImportOrPlan(SubmissionPlan)
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

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({ summary: 'Get a submission with its state in source and storage' })
  @ApiOkResponse({ type: SubmissionResponse })
  async get(@Caller() caller: Principal, @Param('id') reference: string): Promise<SubmissionResponse> {
    this.limits.requireSubmission(caller, reference);
    return this.submissions.get(reference);
  }

  private visibleTo(
    caller: Principal,
    listing: Listing<ListedSubmission, SubmissionResponse>,
  ): Listing<ListedSubmission, SubmissionResponse> {
    return this.limits.narrow(caller, listing, ({ reference }) => reference);
  }
}
