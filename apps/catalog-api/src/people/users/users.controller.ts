import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StreamedList } from '../../publishing/documents/stored-response.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { ApiTaggedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { arraySchema, integerSchema, objectSchema, textSchema } from '../../publishing/schemas/response-schemas.js';
import { UsersService } from './users.service.js';

const peopleSchema = objectSchema({ results: arraySchema(objectSchema({ id: integerSchema, text: textSchema })) });

/** Lists the users. */
@Controller('api/users')
@CallableBy('session', 'global')
@UseInterceptors(StoredResponseInterceptor)
export class UsersController {
  constructor(private readonly service: UsersService) {}

  /** Lists active people by last and first name, as `{"results"}`. */
  @Get()
  @ApiTaggedResponse(peopleSchema, { results: [{ id: 7, text: 'Ada Lovelace' }] })
  search(@Query() query: ListParameters, @ReadHeaders() conditions: ReadConditions): Promise<StreamedList> {
    return this.service.search(query, conditions);
  }
}
