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
@ApiTags('platforms')
export class PlatformsAdminController {
  constructor(private readonly service: PlatformsAdminService) {}

  @Get()
  @AllowCurators()
  @ApiOperation({
    operationId: 'listPlatforms',
    summary: 'List storage platforms by name',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: PlatformPage })
  search(@Caller() caller: Principal, @Query() query: SearchPlatforms): Promise<PlatformPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getPlatform',
    summary: 'Show a storage platform',
    description: 'The response counts the datasets on the platform.',
  })
  @ApiOkResponse({ type: PlatformResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<PlatformResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({
    operationId: 'createPlatform',
    summary: 'Add a storage platform',
    description: 'Endpoints read the name of a platform only if the platform is public.',
  })
  @ApiCreatedResponse({ type: PlatformResponse })
  @ApiBadRequestResponse({ description: 'Among others: another platform has the name.' })
  create(@Caller() caller: Principal, @Body() body: CreatePlatform): Promise<PlatformResponse> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updatePlatform',
    summary: 'Change a storage platform; what is left out stays',
    description: 'If the name changes, all datasets on the platform have the new name.',
  })
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
  @ApiOperation({
    operationId: 'deletePlatform',
    summary: 'Remove a storage platform without datasets',
    description: 'A platform with datasets cannot be removed.',
  })
  @ApiNoContentResponse()
  @ApiErrors(400, 'A dataset is stored on the platform.', 'record.in_use')
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }
}
