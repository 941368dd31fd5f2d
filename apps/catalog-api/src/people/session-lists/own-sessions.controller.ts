import { Controller, Delete, Get, Header, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionsService } from '../sessions/sessions.service.js';
import { requestOriginOf } from '../sessions/request-origin.js';
import { EndSessions, SessionList } from './session-list.dto.js';
import { SessionListsService } from './session-lists.service.js';

/** The caller's own sessions. */
@Controller('api/sessions')
@CallableBy('session')
@ApiTags('sessions')
export class OwnSessionsController {
  constructor(
    private readonly service: SessionListsService,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List the sessions of the caller, newest first',
    description: 'The member `current` marks the session of the request.',
  })
  @ApiOkResponse({ type: SessionList })
  list(@Caller() caller: Principal): Promise<SessionList> {
    return this.service.listOwn(caller);
  }

  @Delete(':session')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End one session of the caller',
    description: 'If the session is the current one, the browser loses its cookie.',
  })
  async end(
    @Caller() caller: Principal,
    @Param('session') session: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const isCurrent = await this.service.endOwn(caller, session);
    if (isCurrent) this.sessions.clearCookie(requestOriginOf(request, reply, caller));
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endSessions',
    summary: 'End all sessions of the caller, or all except the current session',
    description: 'With `others=true`, the current session stays open.',
  })
  async endAll(
    @Caller() caller: Principal,
    @Query() { others }: EndSessions,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.service.endAllOwn(caller, others === 'true');
    if (others !== 'true') this.sessions.clearCookie(requestOriginOf(request, reply, caller));
  }
}
