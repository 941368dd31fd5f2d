import { Body, Controller, Delete, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import type { FastifyRequest } from 'fastify';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { CreatePasswordLink, PasswordLinkResponse } from './password-link.dto.js';
import { PasswordLinksService } from './password-links.service.js';

/** One-time links with which people set their passwords. */
@Controller('api/admin/users/:id/password-link')
@ForAdministrators()
export class PasswordLinksController {
  constructor(private readonly service: PasswordLinksService) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Create a link with which the user sets a password, and show it once; the former link ends',
    description: 'The link can be used once, for `PASSWORD_LINK_HOURS`. Using it ends all sessions of the user.',
  })
  @ApiCreatedResponse({ type: PasswordLinkResponse })
  @ApiBadRequestResponse({
    description: 'The user is deactivated, technical, without an e-mail address, or see `add_password`.',
  })
  @ApiNotFoundResponse()
  create(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: CreatePasswordLink,
    @Req() request: FastifyRequest,
  ): Promise<PasswordLinkResponse> {
    return this.service.create(caller, id, body, request.servedOrigin);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Withdraw the link of a user; harmless if there is none' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
