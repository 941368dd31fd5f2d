import { Body, Delete, Param, Patch, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { Caller, type Principal } from '@rdc/auth';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import type { RecordBody } from './record-kind.js';
import { RecordWriting, type WriteResult, type WriteConditions, type WriteTarget } from './record-writing.js';
import { Conditions, WriteParameters, type RequestConditions } from './write-conditions.decorator.js';
import { WriteInterceptor } from './write.interceptor.js';

/** The four writes that every kind of record has. A subclass says at which path, for whom, and of which kind. */
@UseInterceptors(WriteInterceptor)
export abstract class RecordController<Body extends RecordBody> {
  protected abstract readonly target: WriteTarget<Body>;

  constructor(
    protected readonly writing: RecordWriting,
    private readonly settings: CatalogSettings,
  ) {}

  /** Makes a record. */
  @Post()
  create(
    @Caller() caller: Principal,
    @Body() document: unknown,
    @Query() query: WriteParameters,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.create(caller, this.target, document, this.conditionsOf(query, conditions));
  }

  /** Replaces a record, or makes one under the accession in the path. */
  @Put(':id')
  replace(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() document: unknown,
    @Query() query: WriteParameters,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.replace(caller, this.target, id, document, this.conditionsOf(query, conditions));
  }

  /** Replaces the members that the document has. */
  @Patch(':id')
  merge(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() document: unknown,
    @Query() query: WriteParameters,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.merge(caller, this.target, id, document, this.conditionsOf(query, conditions));
  }

  /** Removes a record that nothing refers to. */
  @Delete(':id')
  remove(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<void> {
    return this.writing.remove(caller, this.target, id, this.conditionsOf({}, conditions));
  }

  protected conditionsOf({ create_missing }: WriteParameters, conditions: RequestConditions): WriteConditions {
    return {
      ifMatch: conditions.ifMatch,
      onlyNew: conditions.onlyNew,
      source: this.settings.SERVER_URL ?? conditions.origin,
      createMissing: create_missing === 'true',
    };
  }
}
