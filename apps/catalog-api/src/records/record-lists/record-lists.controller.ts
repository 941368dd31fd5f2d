import { Controller, Get, Query } from '@nestjs/common';
import {
  ApiCookieAuth,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { RecordPage, SearchContractRows, SearchDatasetRows, SearchPublishable } from './record-list.dto.js';
import { RecordListsService } from './record-lists.service.js';

/** Lists of the five kinds of record, with search, order and pages. The console uses these lists. */
@Controller('api/admin')
@CallableBy('global', 'session')
@ApiTags('administration')
@ApiSecurity('key')
@ApiCookieAuth('session')
@ApiForbiddenResponse({ description: 'The caller is not signed in.' })
export class RecordListsController {
  constructor(private readonly service: RecordListsService) {}

  @Get('projects')
  @ApiOperation({ summary: 'List the projects that the caller may read' })
  @ApiOkResponse({ type: RecordPage })
  projects(@Caller() caller: Principal, @Query() query: SearchPublishable): Promise<RecordPage> {
    return this.service.search(caller, 'projects', query);
  }

  @Get('datasets')
  @ApiOperation({ summary: 'List the datasets that the caller may read' })
  @ApiOkResponse({ type: RecordPage })
  datasets(@Caller() caller: Principal, @Query() query: SearchDatasetRows): Promise<RecordPage> {
    return this.service.search(caller, 'datasets', query);
  }

  @Get('contracts')
  @ApiOperation({ summary: 'List the contracts that the caller may read' })
  @ApiOkResponse({ type: RecordPage })
  contracts(@Caller() caller: Principal, @Query() query: SearchContractRows): Promise<RecordPage> {
    return this.service.search(caller, 'contracts', query);
  }

  @Get('partners')
  @ApiOperation({ summary: 'List the partners that the caller may read' })
  @ApiOkResponse({ type: RecordPage })
  partners(@Caller() caller: Principal, @Query() query: SearchPublishable): Promise<RecordPage> {
    return this.service.search(caller, 'partners', query);
  }

  @Get('cohorts')
  @ApiOperation({ summary: 'List the cohorts that the caller may read' })
  @ApiOkResponse({ type: RecordPage })
  cohorts(@Caller() caller: Principal, @Query() query: SearchPublishable): Promise<RecordPage> {
    return this.service.search(caller, 'cohorts', query);
  }
}
