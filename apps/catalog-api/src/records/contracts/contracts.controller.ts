import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import type { ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { ContractsService } from './contracts.service.js';
import { SearchContracts } from './search-contracts.dto.js';

/** The export of contracts (catalog interface, section 5). */
@Controller('api/contracts')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(ExportInterceptor)
export class ContractsController {
  constructor(private readonly service: ContractsService) {}

  /** The contracts that the caller sees, as `{"items"}`. */
  @Get()
  search(@Caller() caller: Principal, @Query() query: SearchContracts): ListRequest {
    return this.service.search(caller, query);
  }

  /** One contract, by its `id`. */
  @Get(':id')
  get(@Caller() caller: Principal, @Param('id') id: string): RecordRequest {
    return this.service.get(caller, id);
  }
}
