import { Body, Controller, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionResponse } from '../sessions/sign-in.dto.js';
import { requestOriginOf } from '../sessions/request-origin.js';
import {
  ChangePassword,
  ConfirmSecondFactor,
  NewSecondFactor,
  PasswordProof,
  NewRecoveryCodes,
  SecondFactorState,
} from './own-account.dto.js';
import { OwnPasswordService } from './own-password.service.js';
import { OwnSecondFactorService } from './own-second-factor.service.js';

/** The caller's own password and second factor. */
@Controller('api/session')
@CallableBy('session')
@ApiTags('account')
@ApiErrors(
  403,
  'The password or the code is wrong, or the account has no local password.',
  ...(['login.refused', 'login.second_factor'] as const),
)
export class OwnAccountController {
  constructor(
    private readonly passwords: OwnPasswordService,
    private readonly factors: OwnSecondFactorService,
  ) {}

  @Put('password')
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change the password of the caller',
    description: 'All sessions of the caller end. The browser gets a new session with a new `csrf`.',
  })
  @ApiOkResponse({ type: SessionResponse })
  changePassword(
    @Body() body: ChangePassword,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    return this.passwords.change(body, requestOriginOf(request, reply, caller));
  }

  @Get('second-factor')
  @ApiOperation({
    operationId: 'getSecondFactor',
    summary: 'Show the state of the second factor of the caller',
    description: 'The response contains no secret.',
  })
  @ApiOkResponse({ type: SecondFactorState })
  getSecondFactor(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecondFactorState> {
    return this.factors.get(requestOriginOf(request, reply, caller));
  }

  @Post('second-factor')
  @ApiOperation({
    operationId: 'createSecondFactor',
    summary: 'Create a second factor (TOTP) and show its secret once',
    description: 'The second factor is off until a code confirms it.',
  })
  @ApiCreatedResponse({ type: NewSecondFactor })
  @ApiConflictResponse({ description: 'The second factor is on. Remove it first.' })
  beginSecondFactor(
    @Body() body: PasswordProof,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NewSecondFactor> {
    return this.factors.begin(body, requestOriginOf(request, reply, caller));
  }

  @Post('second-factor/confirmation')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'confirmSecondFactor',
    summary: 'Turn the second factor on with a code, and show the recovery codes once',
    description: 'Each recovery code can be used once in place of a code.',
  })
  @ApiOkResponse({ type: NewRecoveryCodes })
  @ApiConflictResponse({ description: 'There is no unconfirmed second factor.' })
  confirmSecondFactor(
    @Body() body: ConfirmSecondFactor,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NewRecoveryCodes> {
    return this.factors.confirm(body, requestOriginOf(request, reply, caller));
  }

  @Post('second-factor/recovery-codes')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes and show the new codes once',
    description: 'The previous recovery codes end.',
  })
  @ApiOkResponse({ type: NewRecoveryCodes })
  @ApiConflictResponse({ description: 'The second factor is not on.' })
  renewRecoveryCodes(
    @Body() body: PasswordProof,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NewRecoveryCodes> {
    return this.factors.renewRecoveryCodes(body, requestOriginOf(request, reply, caller));
  }

  @Post('second-factor/removal')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeSecondFactor',
    summary: 'Remove the second factor of the caller',
    description: 'The next sign-in requires the password only.',
  })
  removeSecondFactor(
    @Body() body: PasswordProof,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.factors.remove(body, requestOriginOf(request, reply, caller));
  }
}
