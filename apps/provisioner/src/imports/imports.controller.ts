import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type IdentifiedRequest, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByReaders } from '../http/callers.js';
import { requesterOf } from './requester.js';
import { sendEvents, ApiEventStream } from './import.events.js';
import { FileListResponse, ImportListResponse } from './import-list.response.js';
import { ImportResponse } from './import.response.js';
import { SubmissionLimits } from '../limits/submission-limits.js';
import { ApiPageAnswer } from '../http/api-list.decorator.js';
import { linesType, nextPage, prefersLines } from '../http/list.answer.js';
import { SearchFiles, SearchImports } from './imports.query.js';
import { ImportsService, type Page } from './imports.service.js';

/** Imports: history and running ones. */
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
  @ApiOperation({ summary: 'Imports, the newest first' })
  @ApiPageAnswer(ImportListResponse)
  async search(
    @Caller() caller: Principal,
    @Query() query: SearchImports,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportListResponse | string> {
    return answerPage(await this.imports.search(query, (each) => this.limits.seesImport(caller, each)), reply);
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({ summary: 'One import with its progress' })
  @ApiOkResponse({ type: ImportResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ImportResponse> {
    return this.seen(caller, id);
  }

  @Get(':id/files')
  @CallableByReaders()
  @ApiOperation({ summary: 'The files of an import: those that failed, else those that are in storage' })
  @ApiPageAnswer(FileListResponse)
  async files(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: SearchFiles,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FileListResponse | string> {
    await this.seen(caller, id);
    return answerPage(await this.imports.files(id, query), reply);
  }

  @Get(':id/events')
  @CallableByReaders()
  @ApiOperation({ summary: 'State and progress as server-sent events, until the import has ended' })
  @ApiEventStream()
  async events(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest & IdentifiedRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.seen(caller, id);
    await sendEvents(request, reply, (signal) => this.imports.follow(id, signal));
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @ApiOperation({ summary: 'Stops an import' })
  @ApiAcceptedResponse({ type: ImportResponse })
  async cancel(@Caller() caller: Principal, @Param('id') id: string): Promise<ImportResponse> {
    await this.seen(caller, id);
    return this.imports.cancel(id);
  }

  @Post(':id/retry')
  @HttpCode(202)
  @ApiOperation({ summary: 'Goes on with an import that did not finish' })
  @ApiAcceptedResponse({ type: ImportResponse })
  async retry(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest & IdentifiedRequest,
  ): Promise<ImportResponse> {
    await this.seen(caller, id);
    return this.imports.retry(id, requesterOf(request));
  }

  /** Returns an import that the caller may know of. @throws UnknownRecordError */
  private async seen(caller: Principal, id: string): Promise<ImportResponse> {
    const response = await this.imports.get(id);
    await this.limits.requireImport(caller, response);
    return response;
  }
}

/** A page, as lines when the caller takes `application/x-ndjson`; `Link` leads to the next. */
function answerPage<T>({ items, next }: Page<T>, reply: FastifyReply): { items: readonly T[] } | string {
  void reply.header('Vary', 'X-API-Key, Accept');
  if (next !== null) void reply.header('Link', `<${nextPage(reply.request.originalUrl, next)}>; rel="next"`);
  if (!prefersLines(reply.request)) return { items };
  void reply.type(linesType);
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}
