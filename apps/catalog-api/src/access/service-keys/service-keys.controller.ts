import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
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

/** The administration of service keys. */
@Controller('api/admin/service-keys')
@ForAdministrators()
@ApiTags('service-keys')
export class ServiceKeysController {
  constructor(private readonly service: ServiceKeysService) {}

  @Get()
  @ApiOperation({
    operationId: 'listServiceKeys',
    summary: 'List service keys by name, including revoked keys',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: ServiceKeyPage })
  search(@Caller() caller: Principal, @Query() query: SearchServiceKeys): Promise<ServiceKeyPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getServiceKey',
    summary: 'Show a service key',
    description: 'The response contains the scopes and limits, without the key.',
  })
  @ApiOkResponse({ type: ServiceKeyResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ServiceKeyResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({
    operationId: 'createServiceKey',
    summary: 'Create a service key and show it once',
    description: 'No later response contains the key. `submissions` and `projects` limit the key to some records.',
  })
  @ApiCreatedResponse({ type: CreatedServiceKey })
  @ApiBadRequestResponse({ description: 'For example, the name was used before, or a limit does not narrow a scope.' })
  create(@Caller() caller: Principal, @Body() body: CreateServiceKey): Promise<CreatedServiceKey> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateServiceKey',
    summary: 'Change the scopes, limits or end of a service key, with effect from the next request',
    description: 'Members that the body does not contain stay unchanged.',
  })
  @ApiOkResponse({ type: ServiceKeyResponse })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateServiceKey,
  ): Promise<ServiceKeyResponse> {
    return this.service.update(caller, id, body);
  }

  @Post(':id/rotate')
  @ApiOperation({
    operationId: 'rotateServiceKey',
    summary: 'Issue a new key and show it once; the previous key ends after the overlap',
    description: 'No later response contains the key. Scopes and limits stay unchanged.',
  })
  @ApiCreatedResponse({ type: IssuedKey })
  @ApiNotFoundResponse({ description: 'The service key does not exist or is revoked.' })
  rotate(@Caller() caller: Principal, @Param('id') id: string, @Body() body: RotateServiceKey): Promise<IssuedKey> {
    return this.service.rotate(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeServiceKey',
    summary: 'Revoke a service key immediately; has no effect if the key is revoked',
    description: 'The name of a revoked key is never used for another key.',
  })
  revoke(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.revoke(caller, id);
  }
}
