import { nextPageLink } from '@rdc/http';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByReaders } from '../http/callers.js';
import { requesterOf } from './requester.js';
import { sendEvents, ApiEventStream } from './import.events.js';
import { FileListResponse, ImportListResponse } from './import-list.response.js';
import { ImportResponse } from './import.response.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ApiPageAnswer } from '../http/api-list.decorator.js';
import { linesType, prefersLines } from '../http/list.answer.js';
import { SearchFiles, SearchImports } from './imports.query.js';
import { RejectionReportResponse } from './rejection-report.response.js';
import { ImportsService, type Page } from './imports.service.js';

@ApiTags('imports')
@Controller('imports')
@CallableByImporters()
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly limits: SubmissionLimits,
  ) {}

  @Get()
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listImports',
    summary: 'List imports, the newest first',
    description:
      'With `Accept: application/x-ndjson`, each item is one line. The header `Link` refers to the next page.',
  })
  @ApiPageAnswer(ImportListResponse)
  async search(
    @Caller() caller: Principal,
    @Query() query: SearchImports,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportListResponse | string> {
    return sendPage(await this.imports.search(query, (each) => this.limits.seesImport(caller, each)), reply);
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'getImport',
    summary: 'Get an import with its progress',
    description:
      '`state` is the state, `progress` the copied bytes and files, and `result` the result when the import has ended.',
  })
  @ApiOkResponse({ type: ImportResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ImportResponse> {
    return this.findOrFail(caller, id);
  }

  @Get(':id/files')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'listImportFiles',
    summary: 'List the failed files of an import, or the files in the storage if none failed',
    description:
      'With `Accept: application/x-ndjson`, each item is one line. The header `Link` refers to the next page.',
  })
  @ApiPageAnswer(FileListResponse)
  async files(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: SearchFiles,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FileListResponse | string> {
    await this.findOrFail(caller, id);
    return sendPage(await this.imports.files(id, query), reply);
  }

  @Get(':id/report')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'getImportReport',
    summary: 'Get the report of a rejected delivery',
    description: 'The report states every problem of the delivery, up to 10,000 of each code.',
  })
  @ApiOkResponse({ type: RejectionReportResponse })
  @ApiNotFoundResponse({ description: 'The import was not rejected.' })
  async report(@Caller() caller: Principal, @Param('id') id: string): Promise<RejectionReportResponse> {
    await this.findOrFail(caller, id);
    return this.imports.report(id);
  }

  @Get(':id/events')
  @CallableByReaders()
  @ApiOperation({
    operationId: 'followImport',
    summary: 'Stream the state and the progress of an import as server-sent events until it has ended',
    description: 'Each event has the state and the progress. The stream ends when the import has ended.',
  })
  @ApiEventStream()
  async events(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.findOrFail(caller, id);
    await sendEvents(request, reply, (signal) => this.imports.follow(id, signal));
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    description: 'The worker stops between two steps.',
  })
  @ApiAcceptedResponse({ type: ImportResponse, description: 'The cancellation is requested.' })
  async cancel(@Caller() caller: Principal, @Param('id') id: string): Promise<ImportResponse> {
    await this.findOrFail(caller, id);
    return this.imports.cancel(id);
  }

  @Post(':id/retry')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'retryImport',
    summary: 'Retry an import that did not finish',
    description: 'Files that are complete in the storage are not copied again.',
  })
  @ApiAcceptedResponse({ type: ImportResponse, description: 'The import is queued.' })
  async retry(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest & IdentifiedRequest,
  ): Promise<ImportResponse> {
    await this.findOrFail(caller, id);
    return this.imports.retry(id, requesterOf(request));
  }

  /** Returns an import that the caller may see. @throws UnknownRecordError otherwise */
  private async findOrFail(caller: Principal, id: string): Promise<ImportResponse> {
    const response = await this.imports.get(id);
    await this.limits.requireImport(caller, response);
    return response;
  }
}

/** Returns a page, as lines if the caller accepts `application/x-ndjson`. The header `Link` has the next page. */
function sendPage<T>({ items, next }: Page<T>, reply: FastifyReply): { items: readonly T[] } | string {
  void reply.header('Vary', 'X-API-Key, Accept');
  if (next !== null) void reply.header('Link', nextPageLink(reply.request, next));
  if (!prefersLines(reply.request)) return { items };
  void reply.type(linesType);
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}
