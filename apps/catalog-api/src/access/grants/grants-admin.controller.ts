import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { CreateGrant, GrantPage, GrantResponse, SearchGrants } from './grant-admin.dto.js';
import { GrantsAdminService } from './grants-admin.service.js';

/** Grants of the permission *protected* on single records. */
@Controller('api/admin/grants')
@ForAdministrators()
@ApiTags('grants')
export class GrantsAdminController {
  constructor(private readonly service: GrantsAdminService) {}

  @Get()
  @ApiOperation({
    operationId: 'listGrants',
    summary: 'List grants, newest first; filter by user or record',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: GrantPage })
  search(@Caller() caller: Principal, @Query() query: SearchGrants): Promise<GrantPage> {
    return this.service.search(caller, query);
  }

  @Post()
  @ApiOperation({
    operationId: 'createGrant',
    summary: 'Grant a user protected on a record; has no effect if the user has the grant',
    description: '*Protected* is the permission to read a record that is not public.',
  })
  @ApiCreatedResponse({ type: GrantResponse })
  @ApiNotFoundResponse({ description: 'The record does not exist.' })
  create(@Caller() caller: Principal, @Body() body: CreateGrant): Promise<GrantResponse> {
    return this.service.create(caller, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteGrant',
    summary: 'Remove a grant',
    description: 'The user loses the permission immediately.',
  })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
