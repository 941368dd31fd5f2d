import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import type { ListRequest } from '../documents/document-query.js';
import { ExportInterceptor } from '../documents/export.interceptor.js';
import { ListParameters } from '../documents/list-parameters.dto.js';
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
