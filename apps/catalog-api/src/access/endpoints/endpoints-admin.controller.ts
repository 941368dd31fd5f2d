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
import { IssuedKey } from '../../platform/properties/key.dto.js';
import { PageParameters } from '../../platform/lists/page.dto.js';
import {
  CreatedEndpoint,
  CreateEndpoint,
  EndpointExposurePage,
  EndpointPage,
  EndpointResponse,
  IssueEndpointKey,
  SearchEndpoints,
  UpdateEndpoint,
} from './endpoint-admin.dto.js';
import { EndpointsAdminService } from './endpoints-admin.service.js';

/** The administration of endpoints and their keys. */
@Controller('api/admin/endpoints')
@ForAdministrators()
export class EndpointsAdminController {
  constructor(private readonly service: EndpointsAdminService) {}

  @Get()
  @AllowCurators()
  @ApiOperation({ summary: 'List endpoints by name' })
  @ApiOkResponse({ type: EndpointPage })
  search(@Caller() caller: Principal, @Query() query: SearchEndpoints): Promise<EndpointPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show an endpoint' })
  @ApiOkResponse({ type: EndpointResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<EndpointResponse> {
    return this.service.get(caller, id);
  }

  @Get(':id/exposures')
  @ApiOperation({ summary: 'List the datasets that are or were exposed to an endpoint, newest first' })
  @ApiOkResponse({ type: EndpointExposurePage })
  exposures(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: PageParameters,
  ): Promise<EndpointExposurePage> {
    return this.service.exposures(caller, id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create an endpoint and show its key once' })
  @ApiCreatedResponse({ type: CreatedEndpoint })
  @ApiBadRequestResponse({ description: 'For example, the key does not have 64 visible ASCII characters.' })
  create(@Caller() caller: Principal, @Body() body: CreateEndpoint): Promise<CreatedEndpoint> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change an endpoint; absent members stay unchanged' })
  @ApiOkResponse({ type: EndpointResponse })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateEndpoint,
  ): Promise<EndpointResponse> {
    return this.service.update(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove an endpoint that has no exposures' })
  @ApiNoContentResponse()
  @ApiBadRequestResponse({ description: 'Exposures refer to the endpoint. Revoke its keys instead.' })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }

  @Post(':id/key')
  @ApiOperation({ summary: 'Issue a generated or a chosen key and show it once; previous keys end after the overlap' })
  @ApiCreatedResponse({ type: IssuedKey })
  @ApiBadRequestResponse({ description: 'For example, the key does not have 64 visible ASCII characters.' })
  issueKey(@Caller() caller: Principal, @Param('id') id: string, @Body() body: IssueEndpointKey): Promise<IssuedKey> {
    return this.service.issueKey(caller, id, body);
  }

  @Delete(':id/key')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke every key of the endpoint; has no effect if the endpoint has no key' })
  revokeKeys(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.revokeKeys(caller, id);
  }
}
