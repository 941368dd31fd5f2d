import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators, AllowCurators } from '../../platform/administration/administrator.js';
import {
  CreatePlatform,
  PlatformPage,
  PlatformResponse,
  SearchPlatforms,
  UpdatePlatform,
} from './platform-admin.dto.js';
import { PlatformsAdminService } from './platforms-admin.service.js';

/** The administration of storage platforms. */
@Controller('api/admin/platforms')
@ForAdministrators()
export class PlatformsAdminController {
  constructor(private readonly service: PlatformsAdminService) {}

  @Get()
  @AllowCurators()
  @ApiOperation({ summary: 'List storage platforms by name' })
  @ApiOkResponse({ type: PlatformPage })
  search(@Caller() caller: Principal, @Query() query: SearchPlatforms): Promise<PlatformPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a storage platform' })
  @ApiOkResponse({ type: PlatformResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<PlatformResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({ summary: 'Add a storage platform' })
  @ApiCreatedResponse({ type: PlatformResponse })
  @ApiBadRequestResponse({ description: 'Among others: another platform has the name.' })
  create(@Caller() caller: Principal, @Body() body: CreatePlatform): Promise<PlatformResponse> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a storage platform; what is left out stays' })
  @ApiOkResponse({ type: PlatformResponse })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdatePlatform,
  ): Promise<PlatformResponse> {
    return this.service.update(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a storage platform without datasets' })
  @ApiNoContentResponse()
  @ApiBadRequestResponse({ description: 'A dataset is stored on the platform.' })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
