import { Body, Controller, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { TakesJson } from '@rdc/http';
import type { FastifyRequest } from 'fastify';
import { ApiRequestBody } from '../../publishing/schemas/request-body.decorator.js';
import { BulkParameters, BulkResponse } from './bulk.dto.js';
import { BulkService, importers } from './bulk.service.js';

const bulkContent: Parameters<typeof ApiRequestBody>[0] = {
  'application/json': {
    schema: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object' } } },
      required: ['items'],
    },
    example: { items: [] },
  },
  'application/x-ndjson': { schema: { type: 'string' }, example: '{"acronym": "ALPHA"}\n{"acronym": "BETA"}\n' },
};

/** `/api/import`: bulk import of records. */
@Controller('api/import')
@CallableBy(...importers)
@ApiTags('bulk')
export class BulkController {
  constructor(private readonly service: BulkService) {}

  @Post(':resource')
  @TakesJson()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'importRecords',
    summary: 'Write all items of `{"items": [...]}` or of NDJSON, or none',
    description:
      'With `dry_run=true`, the response reports the changes, and nothing is written. An error names the position of the wrong item.',
  })
  @ApiRequestBody(bulkContent)
  @ApiOkResponse({ type: BulkResponse })
  run(
    @Caller() caller: Principal,
    @Param('resource') resource: string,
    @Query() { create_missing, dry_run }: BulkParameters,
    @Body() body: Buffer,
    @Req() { servedOrigin: origin }: FastifyRequest,
  ): Promise<BulkResponse> {
    return this.service.run(caller, resource, body, { create_missing, dry_run, origin });
  }
}
