import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { IssuedKey } from '../../platform/properties/key.dto.js';
import { CreateUser, IssueUserKey, SearchUsers, UpdateUser, UserPage, UserResponse } from './user-admin.dto.js';
import { UsersAdminService } from './users-admin.service.js';

/** The administration of users, their roles and their keys. */
@Controller('api/admin/users')
@ForAdministrators()
export class UsersAdminController {
  constructor(private readonly service: UsersAdminService) {}

  @Get()
  @ApiOperation({ summary: 'List users by last and first name' })
  @ApiOkResponse({ type: UserPage })
  search(@Caller() caller: Principal, @Query() query: SearchUsers): Promise<UserPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a user' })
  @ApiOkResponse({ type: UserResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<UserResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({ summary: 'Create a user' })
  @ApiCreatedResponse({ type: UserResponse })
  @ApiBadRequestResponse({ description: 'For example, another user has the e-mail address or the subject.' })
  create(@Caller() caller: Principal, @Body() body: CreateUser): Promise<UserResponse> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a user; absent members stay unchanged' })
  @ApiOkResponse({ type: UserResponse })
  update(@Caller() caller: Principal, @Param('id') id: string, @Body() body: UpdateUser): Promise<UserResponse> {
    return this.service.update(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a user without references' })
  @ApiNoContentResponse()
  @ApiBadRequestResponse({ description: 'Records, grants or accesses refer to the user. Deactivate the user instead.' })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }

  @Post(':id/key')
  @ApiOperation({ summary: 'Issue a new personal key and show it once; the previous key ends' })
  @ApiCreatedResponse({ type: IssuedKey })
  issueKey(@Caller() caller: Principal, @Param('id') id: string, @Body() body: IssueUserKey): Promise<IssuedKey> {
    return this.service.issueKey(caller, id, body);
  }

  @Delete(':id/key')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke the personal key; has no effect if there is none' })
  revokeKey(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.revokeKey(caller, id);
  }

  @Delete(':id/second-factor')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove the second factor of a user; has no effect if there is none' })
  removeSecondFactor(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.removeSecondFactor(caller, id);
  }
}
