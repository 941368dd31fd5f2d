import { Injectable } from '@nestjs/common';
import { hasScope, type Principal } from '@rdc/auth';
import { AccessDeniedError, InvalidInputError } from '@rdc/errors';
import { listNames } from '../documents/list-names.js';
import type { AuditEntryResponse, AuditPage, SearchAudit } from './audit-search.dto.js';
import { AuditRepository } from './audit.repository.js';

/** What data stewards curate. */
const curated: readonly string[] = [...listNames, 'exposures'];

/** Reading the audit trail: all of it for administrators and auditors, the records they curate for data stewards. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /**
   * Entries newest first, in pages.
   *
   * @throws InvalidInputError for an id of no kind of record
   * @throws AccessDeniedError
   */
  async search(caller: Principal, query: SearchAudit): Promise<AuditPage> {
    const readable = readableBy(caller);
    if (query.record_id !== undefined && query.resource === undefined) {
      throw new InvalidInputError([{ field: 'resource', problem: 'must be given with record_id' }]);
    }
    if (readable && query.resource !== undefined && !readable.includes(query.resource)) {
      throw new AccessDeniedError(`You may read the trail of ${readable.join(', ')}.`);
    }
    const page = await this.repository.search(query, readable);
    return { ...page, items: page.items.map(toAuditEntryResponse) };
  }
}

/** The kinds of record whose writes a caller may read; null for every kind. @throws AccessDeniedError */
function readableBy(caller: Principal): readonly string[] | null {
  const roles = caller.kind === 'session' ? caller.roles : [];
  if (caller.kind === 'global' || hasScope(caller, 'audit:read')) return null;
  if (roles.includes('admin') || roles.includes('auditor')) return null;
  if (roles.includes('data_steward')) return curated;
  throw new AccessDeniedError('Only administrators, auditors and data stewards read the audit trail.');
}

function toAuditEntryResponse(row: AuditEntryResponse): AuditEntryResponse {
  const { id, at, actor, actor_name, action, resource, record_id, before, after, request_id, address } = row;
  return { id, at, actor, actor_name, action, resource, record_id, before, after, request_id, address };
}
