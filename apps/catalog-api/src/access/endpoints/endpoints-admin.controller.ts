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
@ApiTags('endpoints')
export class EndpointsAdminController {
  constructor(private readonly service: EndpointsAdminService) {}

  @Get()
  @AllowCurators()
  @ApiOperation({
    operationId: 'listEndpoints',
    summary: 'List endpoints by name',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: EndpointPage })
  search(@Caller() caller: Principal, @Query() query: SearchEndpoints): Promise<EndpointPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getEndpoint',
    summary: 'Show an endpoint',
    description: 'The response contains the states of the keys, without the keys.',
  })
  @ApiOkResponse({ type: EndpointResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<EndpointResponse> {
    return this.service.get(caller, id);
  }

  @Get(':id/exposures')
  @ApiOperation({
    operationId: 'listEndpointExposures',
    summary: 'List the datasets that are or were exposed to an endpoint, newest first',
    description: 'The list includes deprecated exposures.',
  })
  @ApiOkResponse({ type: EndpointExposurePage })
  exposures(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: PageParameters,
  ): Promise<EndpointExposurePage> {
    return this.service.exposures(caller, id, query);
  }

  @Post()
  @ApiOperation({
    operationId: 'createEndpoint',
    summary: 'Create an endpoint and show its key once',
    description:
      'No later response contains the key. If the endpoint is `public`, its datasets are part of the public catalog.',
  })
  @ApiCreatedResponse({ type: CreatedEndpoint })
  @ApiBadRequestResponse({ description: 'For example, the key does not have 64 visible ASCII characters.' })
  create(@Caller() caller: Principal, @Body() body: CreateEndpoint): Promise<CreatedEndpoint> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateEndpoint',
    summary: 'Change an endpoint; absent members stay unchanged',
    description: 'If `public` changes, the datasets of the endpoint enter or leave the public catalog.',
  })
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
  @ApiOperation({
    operationId: 'deleteEndpoint',
    summary: 'Remove an endpoint that has no exposures',
    description: 'The keys of the endpoint end immediately.',
  })
  @ApiNoContentResponse()
  @ApiErrors(400, 'Exposures refer to the endpoint. Revoke its keys instead.', 'record.in_use')
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.remove(caller, id);
  }

  @Post(':id/key')
  @ApiOperation({
    operationId: 'issueEndpointKey',
    summary: 'Issue a generated or a chosen key and show it once; previous keys end after the overlap',
    description: 'No later response contains the key.',
  })
  @ApiCreatedResponse({ type: IssuedKey })
  @ApiBadRequestResponse({ description: 'For example, the key does not have 64 visible ASCII characters.' })
  issueKey(@Caller() caller: Principal, @Param('id') id: string, @Body() body: IssueEndpointKey): Promise<IssuedKey> {
    return this.service.issueKey(caller, id, body);
  }

  @Delete(':id/key')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeEndpointKeys',
    summary: 'Revoke every key of the endpoint; has no effect if the endpoint has no key',
    description: 'The endpoint and its exposures stay.',
  })
  revokeKeys(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.service.revokeKeys(caller, id);
  }
}
