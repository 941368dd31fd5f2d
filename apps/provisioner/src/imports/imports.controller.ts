import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type IdentifiedRequest } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallableByImporters, CallableByReaders } from '../access/callers.js';
import { askerOf } from './asking.js';
import { answerEvents, ApiEventsAnswer } from './import.events.js';
import { FileListResponse, ImportListResponse } from './import-list.response.js';
import { ImportResponse } from './import.response.js';
import { ApiPageAnswer } from '../lists/api-list.decorator.js';
import { linesType, nextPage, takesLines } from '../lists/list.answer.js';
import { SearchFiles, SearchImports } from './imports.query.js';
import { ImportsService, type Page } from './imports.service.js';

/** Imports: history and running ones. */
@ApiTags('imports')
@Controller('imports')
@CallableByImporters()
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Get()
  @CallableByReaders()
  @ApiOperation({ summary: 'Imports, the newest first' })
  @ApiPageAnswer(ImportListResponse)
  async search(
    @Query() query: SearchImports,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportListResponse | string> {
    return answerPage(await this.imports.search(query), reply);
  }

  @Get(':id')
  @CallableByReaders()
  @ApiOperation({ summary: 'One import with its progress' })
  @ApiOkResponse({ type: ImportResponse })
  get(@Param('id') id: string): Promise<ImportResponse> {
    return this.imports.get(id);
  }

  @Get(':id/files')
  @CallableByReaders()
  @ApiOperation({ summary: 'The files of an import: those that failed, else those that are in storage' })
  @ApiPageAnswer(FileListResponse)
  async files(
    @Param('id') id: string,
    @Query() query: SearchFiles,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FileListResponse | string> {
    return answerPage(await this.imports.files(id, query), reply);
  }

  @Get(':id/events')
  @CallableByReaders()
  @ApiOperation({ summary: 'State and progress as server-sent events, until the import has ended' })
  @ApiEventsAnswer()
  async events(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.imports.get(id);
    await answerEvents(request, reply, (signal) => this.imports.follow(id, signal));
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @ApiOperation({ summary: 'Stops an import' })
  @ApiAcceptedResponse({ type: ImportResponse })
  cancel(@Param('id') id: string): Promise<ImportResponse> {
    return this.imports.cancel(id);
  }

  @Post(':id/retry')
  @HttpCode(202)
  @ApiOperation({ summary: 'Goes on with an import that did not finish' })
  @ApiAcceptedResponse({ type: ImportResponse })
  retry(@Param('id') id: string, @Req() request: FastifyRequest & IdentifiedRequest): Promise<ImportResponse> {
    return this.imports.retry(id, askerOf(request));
  }
}

/** A page, as lines when the caller takes `application/x-ndjson`; `Link` leads to the next. */
function answerPage<T>({ items, next }: Page<T>, reply: FastifyReply): { items: readonly T[] } | string {
  void reply.header('Vary', 'X-API-Key, Accept');
  if (next !== null) void reply.header('Link', `<${nextPage(reply.request.originalUrl, next)}>; rel="next"`);
  if (!takesLines(reply.request)) return { items };
  void reply.type(linesType);
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}
