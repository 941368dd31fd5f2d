import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { IdentifiedRequest } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByReaders } from '../access/callers.js';
import { askerOf } from '../imports/asking.js';
import { ApiImportAnswer, ImportAnswer } from '../imports/import.answer.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportMode } from '../imports/imports.query.js';
import { ApiListAnswer } from '../lists/api-list.decorator.js';
import { answerList } from '../lists/list.answer.js';
import { SubmissionPlan } from './submission-plan.js';
import { SubmissionListResponse, SubmissionResponse } from './submission.response.js';
import { ImportSubmission, SearchSubmissionDiff, SearchSubmissions } from './submissions.query.js';
import { SubmissionsService } from './submissions.service.js';

/** Submissions of the source system and their import as project collections. */
@ApiTags('submissions')
@Controller('submissions/srcsys')
@CallableByImporters()
export class SubmissionsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly answer: ImportAnswer,
  ) {}

  @Get()
  @CallableByReaders()
  @ApiOperation({ summary: 'All submissions of the source system' })
  @ApiListAnswer(SubmissionListResponse)
  async search(
    @Query() query: SearchSubmissions,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerList(request, reply, query, await this.submissions.search(query));
  }

  @Get('diff')
  @CallableByReaders()
  @ApiOperation({ summary: 'Submissions not yet imported into the storage system' })
  @ApiListAnswer(SubmissionListResponse)
  async diff(
    @Query() query: SearchSubmissionDiff,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerList(request, reply, query, await this.submissions.searchDiff(query));
  }

  @Post('import')
  @ApiOperation({ summary: 'Imports one submission as a project collection' })
  @ApiImportAnswer(SubmissionPlan)
  import(
    @Body() body: ImportSubmission,
    @Query() mode: ImportMode,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmissionPlan | ImportResponse> {
    return this.answer.of(
      mode,
      reply,
      () => this.submissions.plan(body),
      () => this.submissions.import(body, askerOf(request)),
    );
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({ summary: 'One submission, both sides' })
  @ApiOkResponse({ type: SubmissionResponse })
  get(@Param('id') reference: string): Promise<SubmissionResponse> {
    return this.submissions.get(reference);
  }
}
