import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ForAdministrators } from '../../platform/administration/administrator.js';
import { AccessPage, AccessResponse, CreateAccess, SearchAccesses, UpdateAccess } from './access.dto.js';
import { AccessesService } from './accesses.service.js';

/** Who may use which dataset. */
@Controller('api/admin/accesses')
@ForAdministrators()
export class AccessesController {
  constructor(private readonly service: AccessesService) {}

  @Get()
  @ApiOperation({ summary: 'List accesses by person, dataset, status and end, the newest first' })
  @ApiOkResponse({ type: AccessPage })
  @ApiBadRequestResponse()
  search(@Caller() caller: Principal, @Query() query: SearchAccesses): Promise<AccessPage> {
    return this.service.search(caller, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show an access' })
  @ApiOkResponse({ type: AccessResponse })
  @ApiNotFoundResponse()
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.get(caller, id);
  }

  @Post()
  @ApiOperation({ summary: 'Give an access by hand; it holds from now' })
  @ApiCreatedResponse({ type: AccessResponse })
  @ApiBadRequestResponse({ description: 'Among others: the person holds one that was given by hand.' })
  @ApiNotFoundResponse({ description: 'There is no such dataset.' })
  create(@Caller() caller: Principal, @Body() body: CreateAccess): Promise<AccessResponse> {
    return this.service.create(caller, body);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Move the end of an access, or change its notes; what is left out stays' })
  @ApiOkResponse({ type: AccessResponse })
  @ApiBadRequestResponse({ description: 'Among others: the end is past.' })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'It is over, or the access-request system says when it ends.' })
  update(@Caller() caller: Principal, @Param('id') id: string, @Body() body: UpdateAccess): Promise<AccessResponse> {
    return this.service.update(caller, id, body);
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @ApiOperation({ summary: 'Hold an access back; harmless when it is' })
  @ApiOkResponse({ type: AccessResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'It is not in force.' })
  suspend(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.suspend(caller, id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Let an access hold again that was held back; harmless when it does' })
  @ApiOkResponse({ type: AccessResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'It is not held back.' })
  resume(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.resume(caller, id);
  }

  @Post(':id/terminate')
  @HttpCode(200)
  @ApiOperation({ summary: 'End an access for good; harmless when it is over' })
  @ApiOkResponse({ type: AccessResponse })
  @ApiNotFoundResponse()
  terminate(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.terminate(caller, id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Look again at once for the confirmation or the person that an access waits for' })
  @ApiOkResponse({ type: AccessResponse, description: 'The access as it then stands: `active` when they were found.' })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'It does not wait.' })
  retry(@Caller() caller: Principal, @Param('id') id: string): Promise<AccessResponse> {
    return this.service.retry(caller, id);
  }
}
