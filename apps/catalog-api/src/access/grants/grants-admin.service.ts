import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { changedByRights, lockRecord, refuseUnknownUsers } from '../../publishing/writing/protected-record.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import type { CreateGrant, GrantPage, GrantResponse, SearchGrants } from './grant-admin.dto.js';
import { GrantsAdminRepository } from './grants-admin.repository.js';

const resource = 'grants';

/** Manages the permission *protected* of users who are not custodians. Administrators only. */
@Injectable()
export class GrantsAdminService {
  constructor(
    private readonly repository: GrantsAdminRepository,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns a page of grants, newest first. @throws InvalidInputError if `record_id` is given without `resource` */
  async search(caller: Principal, query: SearchGrants): Promise<GrantPage> {
    requireAdministrator(caller);
    if (query.record_id !== undefined && query.resource === undefined) {
      throw new InvalidInputError([{ field: 'resource', problem: 'must be given with record_id' }]);
    }
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toGrantResponse) };
  }

  /** Grants a user *protected* on a record. If the user has the grant, returns the existing grant. */
  async create(caller: Principal, input: CreateGrant): Promise<GrantResponse> {
    requireAdministrator(caller);
    const actor = actorOf(caller);
    return this.writer.write(async ({ manager, touch }) => {
      await refuseUnknownUsers(manager, 'user_id', [input.user_id]);
      const recordId = await lockRecord(manager, input.resource, input.record_id);
      const grant = { userId: input.user_id, resource: input.resource, recordId, grantedBy: actor };
      const { id, created } = await this.repository.createIfAbsent(manager, grant);
      const row = await this.repository.find(manager, id);
      if (!row) throw new UnknownRecordError('grant', String(id));
      const after = toGrantResponse(row);
      if (created) {
        touch(changedByRights(after.resource, recordId));
        await this.audit.record(manager, { actor, action: 'create', resource, recordId: id, after });
      }
      return after;
    });
  }

  /** Removes a grant. @throws UnknownRecordError if the grant does not exist */
  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.writer.write(async ({ manager, touch }) => {
      const row = await this.repository.find(manager, parseRecordId('grant', id));
      // Locks the record first, in the same order as the removal of a record, to avoid a deadlock.
      if (row) await lockRecord(manager, row.resource, String(row.record_id));
      if (!row || !(await this.repository.remove(manager, row.id))) throw new UnknownRecordError('grant', id);
      const before = toGrantResponse(row);
      touch(changedByRights(before.resource, row.record_id));
      await this.audit.record(manager, {
        actor: actorOf(caller),
        action: 'remove',
        resource,
        recordId: row.id,
        before,
      });
    });
  }
}

function toGrantResponse(row: GrantResponse): GrantResponse {
  const { id, user_id, user_name, resource: kind, record_id, record_name, granted_by, created_at } = row;
  return { id, user_id, user_name, resource: kind, record_id, record_name, granted_by, created_at };
}
