import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { IssuedKey } from '../../platform/properties/key.dto.js';
import {
  CreatedServiceKey,
  CreateServiceKey,
  RotateServiceKey,
  SearchServiceKeys,
  ServiceKeyPage,
  ServiceKeyResponse,
  UpdateServiceKey,
} from './service-key.dto.js';
import { ServiceKeysService } from './service-keys.service.js';

/** Keys of programs, which state what the program may do. */
@Controller('api/admin/service-keys')
@ForAdministrators()
export class ServiceKeysController {
  constructor(private readonly service: ServiceKeysService) {}

  @Get()
  @ApiOperation({ summary: 'List service keys by name, revoked ones too' })
  @ApiOkResponse({ type: ServiceKeyPage })
  @ApiBadRequestResponse()
  search(@Caller() caller: Principal, @Query() query: SearchServiceKeys): Promise<ServiceKeyPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a service key' })
  @ApiOkResponse({ type: ServiceKeyResponse })
  @ApiNotFoundResponse()
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ServiceKeyResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({ summary: 'Make a service key and show it once' })
  @ApiCreatedResponse({ type: CreatedServiceKey })
  @ApiBadRequestResponse({ description: 'Among others: the name was given before, or a scope is wider than a limit.' })
  create(@Caller() caller: Principal, @Body() body: CreateServiceKey): Promise<CreatedServiceKey> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change scopes, limits or expiry; it counts at the next request' })
  @ApiOkResponse({ type: ServiceKeyResponse })
  @ApiBadRequestResponse()
  @ApiNotFoundResponse()
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateServiceKey,
  ): Promise<ServiceKeyResponse> {
    return this.service.update(caller, id, body);
  }

  @Post(':id/rotate')
  @ApiOperation({ summary: 'Make a new key and show it once; the former one ends after the overlap' })
  @ApiCreatedResponse({ type: IssuedKey })
  @ApiNotFoundResponse({ description: 'There is no such service key, or it is revoked.' })
  rotate(@Caller() caller: Principal, @Param('id') id: string, @Body() body: RotateServiceKey): Promise<IssuedKey> {
    return this.service.rotate(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke a service key at once and for good; harmless if it is revoked already' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  revoke(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.revoke(caller, id);
  }
}
