import { Body, Controller, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { TakesJson } from '@rdc/http';
import type { FastifyRequest } from 'fastify';
import { DryRunParameter } from '../../publishing/writing/dry-run.dto.js';
import { WriteParameters } from '../../publishing/writing/write-conditions.decorator.js';
import type { BulkReport } from './bulk-import.js';
import { BulkService, importers } from './bulk.service.js';

/** The query of a bulk import. */
export class BulkParameters extends IntersectionType(WriteParameters, DryRunParameter) {}

/** `/api/import`: bulk import of records. */
@Controller('api/import')
@CallableBy(...importers)
export class BulkController {
  constructor(private readonly service: BulkService) {}

  /** Writes all items of `{"items": [...]}` or of NDJSON, or none. */
  @Post(':resource')
  @TakesJson()
  @HttpCode(200)
  run(
    @Caller() caller: Principal,
    @Param('resource') resource: string,
    @Query() { create_missing, dry_run }: BulkParameters,
    @Body() body: Buffer,
    @Req() { servedOrigin: origin }: FastifyRequest,
  ): Promise<BulkReport & { status: 'Success' }> {
    return this.service.run(caller, resource, body, { create_missing, dry_run, origin });
  }
}
