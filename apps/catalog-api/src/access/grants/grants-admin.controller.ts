import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { CreateGrant, GrantPage, GrantResponse, SearchGrants } from './grant-admin.dto.js';
import { GrantsAdminService } from './grants-admin.service.js';

/** Grants of the permission *protected* on single records. */
@Controller('api/admin/grants')
@ForAdministrators()
export class GrantsAdminController {
  constructor(private readonly service: GrantsAdminService) {}

  @Get()
  @ApiOperation({ summary: 'List grants, newest first; filter by user or record' })
  @ApiOkResponse({ type: GrantPage })
  search(@Caller() caller: Principal, @Query() query: SearchGrants): Promise<GrantPage> {
    return this.service.search(caller, query);
  }

  @Post()
  @ApiOperation({ summary: 'Grant a user protected on a record; has no effect if the user has the grant' })
  @ApiCreatedResponse({ type: GrantResponse })
  @ApiNotFoundResponse({ description: 'The record does not exist.' })
  create(@Caller() caller: Principal, @Body() body: CreateGrant): Promise<GrantResponse> {
    return this.service.create(caller, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a grant' })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
