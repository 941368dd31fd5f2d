import { Param, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { ApiWrittenRecord } from './written-record.decorator.js';
import { RecordController } from './record.controller.js';
import type { RecordBody } from './record-kind.js';
import type { WriteResult } from './record-writing.js';
import { ApiIfMatch, Conditions, type RequestConditions } from './write-conditions.decorator.js';

const publishers = ['global', 'session:admin', 'session:data_steward', 'scope:records:publish'] as const;

/** The writes of partners and cohorts, which also have the member `published`. */
export abstract class PublishedRecordController<Body extends RecordBody> extends RecordController<Body> {
  @Post(':id/publish')
  @ApiOperation({ summary: 'Publish a record to all callers; the first publication assigns the accession' })
  @ApiIfMatch()
  @ApiWrittenRecord(200)
  @CallableBy(...publishers)
  publish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.lifecycle.publish(caller, this.target, id, { ...this.conditionsOf({}, conditions), published: true });
  }

  @Post(':id/unpublish')
  @ApiOperation({ summary: 'Hide a record from callers without a key' })
  @ApiIfMatch()
  @ApiWrittenRecord(200)
  @CallableBy(...publishers)
  unpublish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.lifecycle.publish(caller, this.target, id, { ...this.conditionsOf({}, conditions), published: false });
  }
}
