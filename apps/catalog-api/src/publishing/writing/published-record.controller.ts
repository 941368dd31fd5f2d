import { Param, Post } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { RecordController } from './record.controller.js';
import type { RecordBody } from './record-kind.js';
import type { WriteResult } from './record-writing.js';
import { Conditions, type RequestConditions } from './write-conditions.decorator.js';

const publishers = ['global', 'session:admin', 'session:data_steward', 'scope:records:publish'] as const;

/** The writes of partners and cohorts, which also have the member `published`. */
export abstract class PublishedRecordController<Body extends RecordBody> extends RecordController<Body> {
  /** Publishes a record to all callers. The first publication assigns the accession. */
  @Post(':id/publish')
  @CallableBy(...publishers)
  publish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.lifecycle.publish(caller, this.target, id, { ...this.conditionsOf({}, conditions), published: true });
  }

  /** Hides a record from callers without a key. */
  @Post(':id/unpublish')
  @CallableBy(...publishers)
  unpublish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.lifecycle.publish(caller, this.target, id, { ...this.conditionsOf({}, conditions), published: false });
  }
}
