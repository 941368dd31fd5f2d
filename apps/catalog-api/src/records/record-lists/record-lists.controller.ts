import { applyDecorators, Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { FacetResponse } from './facet.dto.js';
import {
  RecordPage,
  SearchCohortRows,
  SearchContractRows,
  SearchDatasetRows,
  SearchPartnerRows,
  SearchProjectRows,
} from './record-list.dto.js';
import { RecordListsService } from './record-lists.service.js';

/** Lists of the five kinds of record, with search, order and pages. The console uses these lists. */
@Controller('api/admin')
@CallableBy('global', 'session')
@ApiTags('administration')
export class RecordListsController {
  constructor(private readonly service: RecordListsService) {}

  @Get('projects')
  @ApiOperation({
    operationId: 'searchProjects',
    summary: 'List the projects that the caller may read',
    description: 'For people: search, order and pages. For programs, `GET /api/projects` has the whole records.',
  })
  @ApiOkResponse({ type: RecordPage })
  projects(@Caller() caller: Principal, @Query() query: SearchProjectRows): Promise<RecordPage> {
    return this.service.search(caller, 'projects', query);
  }

  @Get('datasets')
  @ApiOperation({
    operationId: 'searchDatasets',
    summary: 'List the datasets that the caller may read',
    description: 'For people: search, order and pages. For programs, `GET /api/datasets` has the whole records.',
  })
  @ApiOkResponse({ type: RecordPage })
  datasets(@Caller() caller: Principal, @Query() query: SearchDatasetRows): Promise<RecordPage> {
    return this.service.search(caller, 'datasets', query);
  }

  @Get('contracts')
  @ApiOperation({
    operationId: 'searchContracts',
    summary: 'List the contracts that the caller may read',
    description: 'For people: search, order and pages. For programs, `GET /api/contracts` has the whole records.',
  })
  @ApiOkResponse({ type: RecordPage })
  contracts(@Caller() caller: Principal, @Query() query: SearchContractRows): Promise<RecordPage> {
    return this.service.search(caller, 'contracts', query);
  }

  @Get('partners')
  @ApiOperation({
    operationId: 'searchPartners',
    summary: 'List the partners that the caller may read',
    description: 'For people: search, order and pages. For programs, `GET /api/partners` has the whole records.',
  })
  @ApiOkResponse({ type: RecordPage })
  partners(@Caller() caller: Principal, @Query() query: SearchPartnerRows): Promise<RecordPage> {
    return this.service.search(caller, 'partners', query);
  }

  @Get('cohorts')
  @ApiOperation({
    operationId: 'searchCohorts',
    summary: 'List the cohorts that the caller may read',
    description: 'For people: search, order and pages. For programs, `GET /api/cohorts` has the whole records.',
  })
  @ApiOkResponse({ type: RecordPage })
  cohorts(@Caller() caller: Principal, @Query() query: SearchCohortRows): Promise<RecordPage> {
    return this.service.search(caller, 'cohorts', query);
  }

  @Get('projects/facets')
  @CountsFacets('countProjectFacets', 'projects')
  projectFacets(@Caller() caller: Principal, @Query() query: SearchProjectRows): Promise<FacetResponse> {
    return this.service.facets(caller, 'projects', query);
  }

  @Get('datasets/facets')
  @CountsFacets('countDatasetFacets', 'datasets')
  datasetFacets(@Caller() caller: Principal, @Query() query: SearchDatasetRows): Promise<FacetResponse> {
    return this.service.facets(caller, 'datasets', query);
  }

  @Get('contracts/facets')
  @CountsFacets('countContractFacets', 'contracts')
  contractFacets(@Caller() caller: Principal, @Query() query: SearchContractRows): Promise<FacetResponse> {
    return this.service.facets(caller, 'contracts', query);
  }

  @Get('partners/facets')
  @CountsFacets('countPartnerFacets', 'partners')
  partnerFacets(@Caller() caller: Principal, @Query() query: SearchPartnerRows): Promise<FacetResponse> {
    return this.service.facets(caller, 'partners', query);
  }

  @Get('cohorts/facets')
  @CountsFacets('countCohortFacets', 'cohorts')
  cohortFacets(@Caller() caller: Principal, @Query() query: SearchCohortRows): Promise<FacetResponse> {
    return this.service.facets(caller, 'cohorts', query);
  }
}

/** Declares an operation that counts the values by which a list can be filtered. */
function CountsFacets(operationId: string, list: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId,
      summary: `Count the ${list} of the same search by the values of each filter`,
      description: 'Accepts the parameters of the list. `sort`, `limit` and `cursor` have no effect.',
    }),
    ApiOkResponse({ type: FacetResponse }),
  );
}
