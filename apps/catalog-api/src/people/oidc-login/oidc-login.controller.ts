import { Controller, Get, Query, Redirect, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiNotFoundResponse, ApiOperation } from '@nestjs/swagger';
import { CallableByAnyone, Caller, type Principal } from '@rdc/auth';
import { AnyQuery } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestOriginOf } from '../sessions/request-origin.js';
import { BeginLogin } from './begin-login.dto.js';
import { OidcLoginService } from './oidc-login.service.js';

const ApiRedirect = (): MethodDecorator =>
  ApiFoundResponse({
    description: 'The address to which the browser is sent.',
    headers: { Location: { schema: { type: 'string' } } },
  });

/** The target of a redirect. */
interface Target {
  readonly url: string;
}

/** Signing in at the identity provider. */
@Controller('api/session/oidc')
@CallableByAnyone()
@ApiNotFoundResponse({ description: 'No identity provider is configured.' })
export class OidcLoginController {
  constructor(private readonly service: OidcLoginService) {}

  @Get()
  @ApiOperation({ summary: 'Redirect the browser to the identity provider' })
  @ApiRedirect()
  @Redirect()
  async begin(
    @Query() { return_to: returnTo }: BeginLogin,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Target> {
    return { url: await this.service.begin(returnTo, requestOriginOf(request, reply, caller)) };
  }

  @Get('callback')
  @ApiOperation({
    summary:
      'Sign in the person who returned from the identity provider, and redirect the browser to the requested page',
  })
  @ApiRedirect()
  @AnyQuery()
  @Redirect()
  async finish(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Target> {
    return { url: await this.service.finish(queryOf(request.url), requestOriginOf(request, reply, caller)) };
  }
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}
