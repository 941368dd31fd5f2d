import { Param, Post } from '@nestjs/common';
import { CallableBy, Caller, type Principal } from '@rdc/auth';
import { RecordController } from './record.controller.js';
import type { RecordBody } from './record-kind.js';
import type { WriteResult } from './record-writing.js';
import { Conditions, type RequestConditions } from './write-conditions.decorator.js';

const publishers = ['global', 'session:admin', 'session:data_steward', 'scope:records:publish'] as const;

/** The writes of records that carry a flag of their own: partners and cohorts. */
export abstract class PublishedRecordController<Body extends RecordBody> extends RecordController<Body> {
  /** Shows the record to everybody; at its first time it gets its accession. */
  @Post(':id/publish')
  @CallableBy(...publishers)
  publish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.publish(caller, this.target, id, { ...this.conditionsOf({}, conditions), published: true });
  }

  /** Takes the record back from those who have no key. */
  @Post(':id/unpublish')
  @CallableBy(...publishers)
  unpublish(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Conditions() conditions: RequestConditions,
  ): Promise<WriteResult> {
    return this.writing.publish(caller, this.target, id, { ...this.conditionsOf({}, conditions), published: false });
  }
}
