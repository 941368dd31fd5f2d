import { Controller, Get, Query, Redirect, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableByAnyone, Caller, type Principal } from '@rdc/auth';
import { AnyQuery } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
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
@ApiErrors(404, 'No identity provider is configured.', 'route.unknown')
@ApiTags('sign-in')
export class OidcLoginController {
  constructor(private readonly service: OidcLoginService) {}

  @Get()
  @ApiOperation({
    operationId: 'beginOidcLogin',
    summary: 'Redirect the browser to the identity provider',
    description: 'For browsers. `return_to` is the page to which the browser returns after the sign-in.',
  })
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
    operationId: 'finishOidcLogin',
    summary:
      'Sign in the person who returned from the identity provider, and redirect the browser to the requested page',
    description:
      'For browsers. The identity provider redirects to this address. After a failed sign-in, the fragment of the page has the reason.',
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
