import { Injectable } from '@nestjs/common';
import { hasScope, type Principal } from '@rdc/auth';
import { AccessDeniedError, InvalidInputError } from '@rdc/errors';
import { listNames } from '../documents/list-names.js';
import type { AuditEntryResponse, AuditPage, SearchAudit } from './audit-search.dto.js';
import { AuditRepository } from './audit.repository.js';

/** The kinds of record that data stewards curate. */
const curated: readonly string[] = [...listNames, 'exposures'];

/** Reads the audit trail. Administrators and auditors read all entries, data stewards entries about curated records. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /**
   * Returns a page of entries, newest first.
   *
   * @throws InvalidInputError if `record_id` is present without `resource`
   * @throws AccessDeniedError if the caller may not read these entries
   */
  async search(caller: Principal, query: SearchAudit): Promise<AuditPage> {
    const readable = readableBy(caller);
    if (query.record_id !== undefined && query.resource === undefined) {
      throw new InvalidInputError([{ field: 'resource', problem: 'must be given with record_id' }]);
    }
    if (readable && query.resource !== undefined && !readable.includes(query.resource)) {
      throw new AccessDeniedError(`The caller may read only the trail of ${readable.join(', ')}.`);
    }
    const page = await this.repository.search(query, readable);
    return { ...page, items: page.items.map(toAuditEntryResponse) };
  }
}

/** Returns the kinds of record whose entries a caller reads, or null for all. @throws AccessDeniedError if none */
function readableBy(caller: Principal): readonly string[] | null {
  const roles = caller.kind === 'session' ? caller.roles : [];
  if (caller.kind === 'global' || hasScope(caller, 'audit:read')) return null;
  if (roles.includes('admin') || roles.includes('auditor')) return null;
  if (roles.includes('data_steward')) return curated;
  throw new AccessDeniedError('Only administrators, auditors and data stewards may read the audit trail.');
}

function toAuditEntryResponse(row: AuditEntryResponse): AuditEntryResponse {
  const { id, at, actor, actor_name, action, resource, record_id, before, after, request_id, address } = row;
  return { id, at, actor, actor_name, action, resource, record_id, before, after, request_id, address };
}
