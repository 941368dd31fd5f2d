import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError } from '@rdc/errors';
import { requireAdministrator } from '../administration/administrator.js';
import type { AuditEntryResponse, AuditPage, SearchAudit } from './audit-search.dto.js';
import { AuditRepository } from './audit.repository.js';

/** Reading the audit trail: an administrator's work. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /** Entries newest first, in pages. @throws InvalidInputError for an id of no kind of record */
  async search(caller: Principal, query: SearchAudit): Promise<AuditPage> {
    requireAdministrator(caller);
    if (query.record_id !== undefined && query.resource === undefined) {
      throw new InvalidInputError([{ field: 'resource', problem: 'must be given with record_id' }]);
    }
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toAuditEntryResponse) };
  }
}

function toAuditEntryResponse(row: AuditEntryResponse): AuditEntryResponse {
  const { id, at, actor, actor_name, action, resource, record_id, before, after, request_id } = row;
  return { id, at, actor, actor_name, action, resource, record_id, before, after, request_id };
}
