import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import type { ListRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { UsersService } from './users.service.js';

/** The list of people (catalog interface, section 5). */
@Controller('api/users')
@CallableBy('session', 'global')
@UseInterceptors(ExportInterceptor)
export class UsersController {
  constructor(private readonly service: UsersService) {}

  /** Active people, by last and first name, as `{"results"}`. */
  @Get()
  search(@Query() query: ListParameters): ListRequest {
    return this.service.search(query);
  }
}
