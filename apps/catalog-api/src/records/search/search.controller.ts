import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { SearchEverything, SearchResponse } from './search.dto.js';
import { SearchService } from './search.service.js';

/** Searches everything that the caller may read. */
@Controller('api/admin/search')
@CallableBy('global', 'session')
@ApiTags('search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @ApiOperation({
    operationId: 'searchEverything',
    summary: 'Search records, terms and people',
    description:
      'Returns the best matches of each kind that the caller may read, without counts. A record with exactly this ' +
      'accession comes first. All matches of a kind are in its list, e.g. `GET /api/admin/datasets`, with the same `q`. ' +
      'Only administrators find people.',
  })
  @ApiOkResponse({ type: SearchResponse })
  search(@Caller() caller: Principal, @Query() query: SearchEverything): Promise<SearchResponse> {
    return this.service.search(caller, query);
  }
}
