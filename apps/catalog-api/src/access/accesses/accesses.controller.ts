import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { AccessPage, AccessResponse, CreateAccess, SearchAccesses, UpdateAccess } from './access.dto.js';
import { AccessesService } from './accesses.service.js';

/** The administration of accesses. */
@Controller('api/admin/accesses')
@ForAdministrators()
@ApiTags('accesses')
export class AccessesController {
  constructor(private readonly service: AccessesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAccesses',
    summary: 'List accesses, newest first; filter by person, dataset, status or end',
    description: 'The response is one page. `next_cursor` is the `cursor` of the next page, and null on the last page.',
  })
  @ApiOkResponse({ type: AccessPage })
  search(@Caller() caller: Principal, @Query() query: SearchAccesses): Promise<AccessPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getAccess',
    summary: 'Show an access',
    description:
      'The response contains the person, the dataset, the state and the entitlement from which the access comes.',
  })
  @ApiOkResponse({ type: AccessResponse })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({
    operationId: 'grantAccess',
    summary: 'Grant an access that begins now',
    description: 'The access belongs either to a user (`user_id`) or to a contact (`contact_id`).',
  })
  @ApiCreatedResponse({ type: AccessResponse })
  @ApiBadRequestResponse({
    description: 'For example, the person has an access to the dataset that an administrator granted.',
  })
  @ApiNotFoundResponse({ description: 'The dataset does not exist.' })
  create(@Caller() caller: Principal, @Body() body: CreateAccess): Promise<AccessResponse> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateAccess',
    summary: 'Change the end or the notes of an access; absent members stay unchanged',
    description: 'An access that comes from an entitlement ends when the access-request system decides.',
  })
  @ApiOkResponse({ type: AccessResponse })
  @ApiBadRequestResponse({ description: 'For example, the end is in the past.' })
  @ApiConflictResponse({ description: 'The access is terminated, or the access-request system decides its end.' })
  update(@Caller() caller: Principal, @Param('id') id: string, @Body() body: UpdateAccess): Promise<AccessResponse> {
    return this.service.update(caller, id, body);
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'suspendAccess',
    summary: 'Suspend an access; has no effect if the access is suspended',
    description: 'The permission ends immediately and can be resumed.',
  })
  @ApiOkResponse({ type: AccessResponse })
  @ApiConflictResponse({ description: 'The access is not active.' })
  suspend(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.suspend(caller, id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resumeAccess',
    summary: 'Resume a suspended access; has no effect if the access is active',
    description: 'The permission applies again until the end of the access.',
  })
  @ApiOkResponse({ type: AccessResponse })
  @ApiConflictResponse({ description: 'The access is not suspended.' })
  resume(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.resume(caller, id);
  }

  @Post(':id/terminate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'terminateAccess',
    summary: 'Terminate an access; has no effect if the access is terminated',
    description: 'A terminated access cannot be resumed.',
  })
  @ApiOkResponse({ type: AccessResponse })
  terminate(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.terminate(caller, id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'retryAccess',
    summary: 'Retry now to find the confirmation or the person that an access waits for',
    description: '`waits_for` of an access is `confirmation` or `person`.',
  })
  @ApiOkResponse({
    type: AccessResponse,
    description: 'The access after the attempt; `active` if the attempt succeeded.',
  })
  @ApiConflictResponse({ description: 'The access waits for nothing.' })
  retry(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.retry(caller, id);
  }
}
