import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiCookieAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, CallableByAnyone, Caller, type Principal } from '@rdc/auth';
import { BodyLimit } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import { SessionResponse, SignIn } from './sign-in.dto.js';
import { SessionsService } from './sessions.service.js';
import { requestOriginOf } from './request-origin.js';

/** Maximum bytes of a login and a password in any JSON notation. */
const maxSignInBytes = 16 * 1024;

/** Signing in and signing out. */
@Controller('api/session')
@ApiTags('sign-in')
export class SessionsController {
  constructor(private readonly service: SessionsService) {}

  @Post()
  @ApiOperation({
    operationId: 'signIn',
    summary: 'Sign in with a password and set the session cookie',
    description:
      'No key is required. Each later write by the session must have the header `X-CSRF-Token` with the member `csrf` of the response.',
  })
  @ApiOkResponse({ type: SessionResponse })
  @ApiErrors(
    403,
    'The login, the password or the code is wrong, or a page of another site sent the request.',
    ...(['login.refused', 'login.second_factor', 'csrf.refused'] as const),
  )
  @HttpCode(200)
  @BodyLimit(maxSignInBytes)
  @CallableByAnyone()
  create(
    @Body() body: SignIn,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    return this.service.signIn(body, requestOriginOf(request, reply, caller));
  }

  @Get()
  @ApiOperation({
    operationId: 'getSession',
    summary: 'Show the person who is signed in, and renew the cookie',
    description: 'The member `csrf` is the value of `X-CSRF-Token` for writes.',
  })
  @ApiOkResponse({ type: SessionResponse })
  @ApiErrors(403, 'No session is open, or the session has ended.', 'session.required')
  @ApiCookieAuth('session')
  @CallableByAnyone()
  get(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    return this.service.get(requestOriginOf(request, reply, caller));
  }

  @Delete()
  @ApiOperation({
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'The session ends, and the browser loses its cookie.',
  })
  @HttpCode(204)
  @CallableBy('session')
  remove(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.service.signOut(requestOriginOf(request, reply, caller));
  }
}
