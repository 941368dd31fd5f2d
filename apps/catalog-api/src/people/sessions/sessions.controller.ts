import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CallableBy, CallableByAnyone, Caller, type Principal } from '@rdc/auth';
import { BodyLimit } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionResponse, SignIn } from './sign-in.dto.js';
import { SessionsService } from './sessions.service.js';
import { requestOriginOf } from './request-origin.js';

/** Maximum bytes of a login and a password in any JSON notation. */
const maxSignInBytes = 16 * 1024;

/** Signing in and signing out. */
@Controller('api/session')
export class SessionsController {
  constructor(private readonly service: SessionsService) {}

  @Post()
  @ApiOperation({ summary: 'Sign in with a password and set the session cookie' })
  @ApiOkResponse({ type: SessionResponse })
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
  @ApiOperation({ summary: 'Show the person who is signed in, and renew the cookie' })
  @ApiOkResponse({ type: SessionResponse })
  @CallableByAnyone()
  get(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    return this.service.get(requestOriginOf(request, reply, caller));
  }

  @Delete()
  @ApiOperation({ summary: 'Sign out' })
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
