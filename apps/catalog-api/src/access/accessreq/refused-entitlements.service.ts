import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import { DataSource } from 'typeorm';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AccessRequestService } from './accessreq.service.js';
import type {
  RefusedEntitlementPage,
  RefusedEntitlementResponse,
  RetriedEntitlement,
  SearchRefusedEntitlements,
} from './refused-entitlement.dto.js';
import { refusalReasons } from './refused-entitlement.entity.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

const kind = 'refused entitlement';
const resource = 'refused_entitlements';

/** Lists, retries and removes refused entitlements. Administrators only. */
@Injectable()
export class RefusedEntitlementsService {
  constructor(
    private readonly repository: RefusedEntitlementsRepository,
    private readonly requests: AccessRequestService,
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns a page of refused entitlements, newest first. */
  async search(caller: Principal, query: SearchRefusedEntitlements): Promise<RefusedEntitlementPage> {
    requireAdministrator(caller);
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toResponse) };
  }

  async get(caller: Principal, id: string): Promise<RefusedEntitlementResponse> {
    requireAdministrator(caller);
    return toResponse(await this.findOrFail(id));
  }

  /** Applies the claim as if it were posted again, with a confirmation if an access-request system is configured. */
  async retry(caller: Principal, id: string): Promise<RetriedEntitlement> {
    requireAdministrator(caller);
    const { application, resource: accession, subject, ends } = await this.findOrFail(id);
    const write = { actor: actorOf(caller), action: 'retry', resource, recordId: id };
    await this.audit.record(this.dataSource.manager, write);
    const outcome = await this.requests.retryClaim({ key: { application, resource: accession, user: subject }, ends });
    return { outcome, done: !refusalReasons.some((reason) => reason === outcome) };
  }

  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    const before = toResponse(await this.findOrFail(id));
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.repository.remove(manager, before.id))) throw new UnknownRecordError(kind, id);
      await this.audit.record(manager, { actor: actorOf(caller), action: 'remove', resource, recordId: id, before });
    });
  }

  private async findOrFail(id: string): Promise<RefusedEntitlementResponse> {
    const row = await this.repository.find(parseRecordId(kind, id));
    if (!row) throw new UnknownRecordError(kind, id);
    return row;
  }
}

function toResponse(row: RefusedEntitlementResponse): RefusedEntitlementResponse {
  return {
    id: row.id,
    application: row.application,
    resource: row.resource,
    resource_known: row.resource_known,
    subject: row.subject,
    ends: row.ends,
    reason: row.reason,
    posts: row.posts,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
