import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBadRequestResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableByAnyone, Caller, type Principal } from '@rdc/auth';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestOriginOf } from '../sessions/request-origin.js';
import { UsePasswordLink } from './password-link.dto.js';
import { PasswordLinkUse } from './password-link-use.js';

/** The use of a one-time link, by the page that the link opens. */
@Controller('api/session/password-link')
@CallableByAnyone()
@ApiTags('account')
export class PasswordLinkUseController {
  constructor(private readonly service: PasswordLinkUse) {}

  @Post()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'setPassword',
    summary: 'Set a password with a one-time link',
    description: 'No key is required: the token of the link proves the request. All sessions of the person end.',
  })
  @ApiNoContentResponse({ description: 'The password is set, and all sessions of the person have ended.' })
  @ApiBadRequestResponse({ description: 'The password is not accepted. The link can still be used.' })
  @ApiErrors(
    403,
    'The link is invalid, used or expired, or a page of another site sent the request.',
    ...(['password_link.refused', 'csrf.refused'] as const),
  )
  use(
    @Body() body: UsePasswordLink,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.service.use(body, requestOriginOf(request, reply, caller));
  }
}
