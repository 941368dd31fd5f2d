import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { IssuedKey } from '../../platform/properties/key.dto.js';
import { CreateUser, IssueUserKey, SearchUsers, UpdateUser, UserPage, UserResponse } from './user-admin.dto.js';
import { UsersAdminService } from './users-admin.service.js';

/** The administration of users, their roles and their keys. */
@Controller('api/admin/users')
@ForAdministrators()
@ApiTags('users')
export class UsersAdminController {
  constructor(private readonly service: UsersAdminService) {}

  @Get()
  @ApiOperation({
    operationId: 'listUsers',
    summary: 'List users by last and first name',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: UserPage })
  search(@Caller() caller: Principal, @Query() query: SearchUsers): Promise<UserPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getUser',
    summary: 'Show a user',
    description: 'The response contains the state of the personal key, without the key.',
  })
  @ApiOkResponse({ type: UserResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<UserResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'The user has no key and no password. `issueUserKey` and `createPasswordLink` give them.',
  })
  @ApiCreatedResponse({ type: UserResponse })
  @ApiBadRequestResponse({ description: 'For example, another user has the e-mail address or the subject.' })
  create(@Caller() caller: Principal, @Body() body: CreateUser): Promise<UserResponse> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateUser',
    summary: 'Change a user; absent members stay unchanged',
    description: 'A deactivated user cannot sign in or use a key.',
  })
  @ApiOkResponse({ type: UserResponse })
  update(@Caller() caller: Principal, @Param('id') id: string, @Body() body: UpdateUser): Promise<UserResponse> {
    return this.service.update(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteUser',
    summary: 'Remove a user without references',
    description: 'To keep the history of a user, deactivate the user instead.',
  })
  @ApiNoContentResponse()
  @ApiErrors(400, 'Records, grants or accesses refer to the user. Deactivate the user instead.', 'record.in_use')
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }

  @Post(':id/key')
  @ApiOperation({
    operationId: 'issueUserKey',
    summary: 'Issue a new personal key and show it once; the previous key ends',
    description: 'No later response contains the key.',
  })
  @ApiCreatedResponse({ type: IssuedKey })
  issueKey(@Caller() caller: Principal, @Param('id') id: string, @Body() body: IssueUserKey): Promise<IssuedKey> {
    return this.service.issueKey(caller, id, body);
  }

  @Delete(':id/key')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeUserKey',
    summary: 'Revoke the personal key; has no effect if there is none',
    description: 'The sessions of the user stay open.',
  })
  revokeKey(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.revokeKey(caller, id);
  }

  @Delete(':id/second-factor')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteUserSecondFactor',
    summary: 'Remove the second factor of a user; has no effect if there is none',
    description: 'The user can then sign in with the password only, and create another second factor.',
  })
  removeSecondFactor(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.removeSecondFactor(caller, id);
  }
}
