import { Body, Delete, Param, Patch, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@rdc/auth';
import { ApiErrors } from '../../platform/properties/api-errors.decorator.js';
import { ApiWrittenRecord, writtenRecord } from './written-record.decorator.js';
import type { RecordBody } from './record-kind.js';
import { RecordLifecycle } from './record-lifecycle.js';
import { RecordWriting, type WriteResult, type WriteConditions, type WriteTarget } from './record-writing.js';
import { ApiIfMatch, Conditions, WriteParameters, type RequestConditions } from './write-conditions.decorator.js';
import { WriteInterceptor } from './write.interceptor.js';

/** The writes that every kind of record has. A subclass declares the path, the permissions and the kind. */
@UseInterceptors(WriteInterceptor)
export abstract class RecordController<Body extends RecordBody> {
  protected abstract readonly target: WriteTarget<Body>;

  constructor(
    protected readonly writing: RecordWriting,
    protected readonly lifecycle: RecordLifecycle,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Create a record' })
  @ApiBody({ schema: writtenRecord })
  @ApiWrittenRecord(201)
  create(
    @Caller() caller: Principal,
    @Body() document: unknown,
    @Query() query: WriteParameters,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.create(caller, this.target, document, this.conditionsOf(query, conditions));
  }

  @Put(':id')
  @ApiOperation({ summary: 'Replace a record, or create one under the accession in the path' })
  @ApiIfMatch()
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'If `*`, the write is refused if the record exists.',
  })
  @ApiBody({ schema: writtenRecord })
  @ApiWrittenRecord(200)
  @ApiWrittenRecord(201)
  replace(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() document: unknown,
    @Query() query: WriteParameters,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.replace(caller, this.target, id, document, this.conditionsOf(query, conditions));
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Replace the members that the document contains' })
  @ApiIfMatch()
  @ApiBody({ schema: { type: 'object' } })
  @ApiWrittenRecord(200)
  merge(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() document: unknown,
    @Query() query: WriteParameters,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.merge(caller, this.target, id, document, this.conditionsOf(query, conditions));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove a record to which no other record refers' })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The record was removed.' })
  @ApiErrors(400, 'Other records refer to the record. `more.users` counts them.', 'record.in_use')
  remove(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<void> {
    return this.lifecycle.remove(caller, this.target, id, this.conditionsOf({}, conditions));
  }

  protected conditionsOf({ create_missing }: WriteParameters, conditions: RequestConditions): WriteConditions {
    return {
      ifMatch: conditions.ifMatch,
      onlyNew: conditions.onlyNew,
      origin: conditions.origin,
      createMissing: create_missing === 'true',
    };
  }
}
