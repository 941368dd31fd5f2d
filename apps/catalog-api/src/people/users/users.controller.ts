import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy } from '@rdc/auth';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StreamedList } from '../../publishing/documents/stored-response.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { ApiPagedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { PeopleResponse } from './people.dto.js';
import { UsersService } from './users.service.js';

/** Lists the users. */
@Controller('api/users')
@CallableBy('session', 'global')
@UseInterceptors(StoredResponseInterceptor)
@ApiTags('people')
export class UsersController {
  constructor(private readonly service: UsersService) {}

  @Get()
  @ApiOperation({
    operationId: 'listPeople',
    summary: 'List active people by last and first name',
    description: 'The list contains names and ids only, for pickers.',
  })
  @ApiPagedResponse(PeopleResponse)
  search(@Query() query: ListParameters, @ReadHeaders() conditions: ReadConditions): Promise<StreamedList> {
    return this.service.search(query, conditions);
  }
}
