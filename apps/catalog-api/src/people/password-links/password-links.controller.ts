import { Body, Controller, Delete, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import type { FastifyRequest } from 'fastify';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { CreatePasswordLink, PasswordLinkResponse } from './password-link.dto.js';
import { PasswordLinksService } from './password-links.service.js';

/** The administration of one-time links for setting passwords. */
@Controller('api/admin/users/:id/password-link')
@ForAdministrators()
@ApiTags('users')
export class PasswordLinksController {
  constructor(private readonly service: PasswordLinksService) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createPasswordLink',
    summary: 'Create a link for setting the password of a user and show it once; the previous link ends',
    description:
      'The link can be used once within `PASSWORD_LINK_HOURS`. Using the link ends all sessions of the user.',
  })
  @ApiCreatedResponse({ type: PasswordLinkResponse })
  @ApiBadRequestResponse({
    description: 'The user is deactivated, is technical, has no e-mail address, or needs `add_password`.',
  })
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
  @ApiOperation({
    operationId: 'deletePasswordLink',
    summary: 'Withdraw the link of a user; has no effect if there is none',
    description: 'The password of the user stays unchanged.',
  })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
