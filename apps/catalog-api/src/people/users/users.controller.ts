import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StreamedList } from '../../publishing/documents/stored-response.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { UsersService } from './users.service.js';

/** The list of people (catalog interface, section 5). */
@Controller('api/users')
@CallableBy('session', 'global')
@UseInterceptors(StoredResponseInterceptor)
export class UsersController {
  constructor(private readonly service: UsersService) {}

  /** Lists active people by last and first name, as `{"results"}`. */
  @Get()
  search(@Query() query: ListParameters, @ReadHeaders() conditions: ReadConditions): Promise<StreamedList> {
    return this.service.search(query, conditions);
  }
}
