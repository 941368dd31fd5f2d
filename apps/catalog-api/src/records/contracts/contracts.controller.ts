import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { ApiListResponse, ApiRecordResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { contractSchema } from './contract.schema.js';
import { ContractsService } from './contracts.service.js';
import { SearchContracts } from './search-contracts.dto.js';

/** Exports contracts. */
@Controller('api/contracts')
@CallableBy('user', 'session', 'endpoint', 'global', 'scope:records:read')
@UseInterceptors(StoredResponseInterceptor)
export class ContractsController {
  constructor(private readonly service: ContractsService) {}

  @Get()
  @ApiOperation({ summary: 'List the contracts that the caller sees' })
  @ApiListResponse('contracts', contractSchema)
  search(
    @Caller() caller: Principal,
    @Query() query: SearchContracts,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StreamedList> {
    return this.service.search(caller, query, conditions);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a contract, by its `id`' })
  @ApiRecordResponse(contractSchema)
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ReadHeaders() conditions: ReadConditions,
  ): Promise<StoredDocument> {
    return this.service.get(caller, id, conditions);
  }
}
