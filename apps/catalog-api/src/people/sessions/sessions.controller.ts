import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { CallableBy, CallableByAnyone, Caller, type Principal } from '@rdc/auth';
import { BodyLimit } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignIn, type SessionResponse } from './sign-in.dto.js';
import { SessionsService } from './sessions.service.js';
import { requestOriginOf } from './request-origin.js';

/** Maximum bytes of a login and a password in any JSON notation. */
const maxSignInBytes = 16 * 1024;

/** Signing in and signing out. */
@Controller('api/session')
export class SessionsController {
  constructor(private readonly service: SessionsService) {}

  /** Signs in with a password and sets the session cookie. */
  @Post()
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

  /** Returns the person who is signed in and renews the cookie. */
  @Get()
  @CallableByAnyone()
  get(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    return this.service.get(requestOriginOf(request, reply, caller));
  }

  /** Signs out. */
  @Delete()
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
