import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { PrivateResponse } from '../../publishing/documents/private-response.decorator.js';
import { ChangesResponse, SearchChanges } from './changes.dto.js';
import { ChangesService } from './changes.service.js';

/** The change feed. */
@Controller('api/changes')
@CallableBy('anonymous', 'user', 'session', 'endpoint', 'global', 'scope:records:read')
@ApiTags('changes')
export class ChangesController {
  constructor(private readonly service: ChangesService) {}

  @Get()
  @PrivateResponse()
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'List the changes of projects, datasets, partners and cohorts since a cursor',
    description:
      'The feed contains the last change of each record that the caller may read, and the withdrawals of records that ' +
      'the caller may no longer read. A change can be returned more than once and is never left out. Without a key, the ' +
      'projects and datasets are those of `/api/dcat`. An `items` may be empty while `has_more` is true.',
  })
  @ApiOkResponse({ type: ChangesResponse })
  read(@Caller() caller: Principal, @Query() query: SearchChanges): Promise<ChangesResponse> {
    return this.service.read(caller, query);
  }
}
