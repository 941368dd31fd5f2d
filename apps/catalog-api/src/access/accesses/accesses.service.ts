import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { applyChanges } from '../../platform/properties/changes.js';
import { parseExpiry } from '../../platform/properties/expiry.js';
import { lockRecord, refuseUnknownUsers } from '../../publishing/writing/protected-record.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { AccessRequestService } from '../accessreq/accessreq.service.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import type {
  AccessPage,
  AccessResponse,
  AccessStatus,
  CreateAccess,
  SearchAccesses,
  UpdateAccess,
} from './access.dto.js';
import { AccessEndError, AccessStateError } from './accesses.errors.js';
import { AccessesRepository, type ManualAccess } from './accesses.repository.js';

const resource = 'accesses';

const openStatuses = ['precreated', 'active', 'suspended'] as const satisfies readonly AccessStatus[];

/** A change of an access's status by an administrator. */
interface Transition {
  /** The action in the audit trail. */
  readonly action: string;
  readonly to: AccessStatus;
  readonly from: readonly AccessStatus[];
}

/** Manages accesses. Administrators only. */
@Injectable()
export class AccessesService {
  constructor(
    private readonly repository: AccessesRepository,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
    private readonly requests: AccessRequestService,
  ) {}

  /** Returns a page of accesses, newest first. */
  async search(caller: Principal, query: SearchAccesses): Promise<AccessPage> {
    requireAdministrator(caller);
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toAccessResponse) };
  }

  async get(caller: Principal, id: string): Promise<AccessResponse> {
    requireAdministrator(caller);
    const row = await this.repository.find(parseRecordId('access', id));
    if (!row) throw new UnknownRecordError('access', id);
    return toAccessResponse(row);
  }

  /**
   * Grants an access that begins now.
   *
   * @throws InvalidInputError if the person does not exist, or has such an access
   * @throws UnknownRecordError if the dataset does not exist
   */
  async create(caller: Principal, input: CreateAccess): Promise<AccessResponse> {
    requireAdministrator(caller);
    const field = holderOf(input);
    const expiresAt = parseExpiry(input.expires_at);
    return this.writer.write(async ({ manager }) => {
      await this.refuseUnknownHolder(manager, input);
      const datasetId = await lockRecord(manager, 'datasets', input.dataset);
      const { user_id: userId = null, contact_id: contactId = null, notes = null } = input;
      const access: ManualAccess = { datasetId, userId, contactId, expiresAt, notes };
      const given = await this.repository.findManual(manager, access);
      if (given !== undefined) {
        throw new InvalidInputError([
          {
            field,
            problem: `must be a person without an access to this dataset; the person has the access ${String(given)}`,
          },
        ]);
      }
      const after = await this.findOrFail(manager, await this.repository.insert(manager, access));
      await this.audit.record(manager, {
        actor: actorOf(caller),
        action: 'create',
        resource,
        recordId: after.id,
        after,
      });
      return after;
    });
  }

  /**
   * Changes the end or the notes of an access that is not terminated.
   *
   * @throws InvalidInputError if the end is in the past
   * @throws AccessEndError if the end differs and the access belongs to an application
   */
  async update(caller: Principal, id: string, { expires_at, notes }: UpdateAccess): Promise<AccessResponse> {
    requireAdministrator(caller);
    const expiresAt = expires_at === undefined ? undefined : parseExpiry(expires_at);
    return this.writer.write(async ({ manager }) => {
      const access = await this.lockOrFail(manager, id);
      const before = { expires_at: access.expires_at, notes: access.notes };
      const after = applyChanges<typeof before>(before, { expires_at: expiresAt, notes });
      if (!after) return access;
      if (access.status === 'terminated') throw new AccessStateError(access.id, access.status, openStatuses);
      if (access.application !== null && after.expires_at?.getTime() !== before.expires_at?.getTime()) {
        throw new AccessEndError(access.id, access.application);
      }
      await this.repository.update(manager, access.id, after.expires_at, after.notes);
      const write = { actor: actorOf(caller), action: 'update', resource, recordId: access.id };
      await this.audit.record(manager, { ...write, before, after });
      return this.findOrFail(manager, access.id);
    });
  }

  /** Suspends an access. The access-request system may still end the access or change its end. */
  async suspend(caller: Principal, id: string): Promise<AccessResponse> {
    requireAdministrator(caller);
    return this.transition(caller, id, { action: 'suspend', to: 'suspended', from: ['active'] });
  }

  /** Resumes a suspended access. */
  async resume(caller: Principal, id: string): Promise<AccessResponse> {
    requireAdministrator(caller);
    return this.transition(caller, id, { action: 'resume', to: 'active', from: ['suspended'] });
  }

  /** Terminates an access. A repeated post about the same grant does not revive the access. */
  async terminate(caller: Principal, id: string): Promise<AccessResponse> {
    requireAdministrator(caller);
    return this.transition(caller, id, { action: 'terminate', to: 'terminated', from: openStatuses });
  }

  /**
   * Retries to find the confirmation and the person that an access waits for. The access is active when it is confirmed
   * and the person has a verified account.
   */
  async retry(caller: Principal, id: string): Promise<AccessResponse> {
    requireAdministrator(caller);
    const waiting = await this.writer.write(async ({ manager }) => {
      const access = await this.lockOrFail(manager, id);
      if (access.status === 'active' && access.waits_for === null) return null;
      if (access.waits_for === null) throw new AccessStateError(access.id, access.status, ['precreated']);
      await this.repository.resetAttempts(manager, access.id);
      await this.audit.record(manager, { actor: actorOf(caller), action: 'retry', resource, recordId: access.id });
      return access;
    });
    if (waiting) await this.requests.retry(waiting.id);
    return this.get(caller, id);
  }

  private async transition(caller: Principal, id: string, { action, to, from }: Transition): Promise<AccessResponse> {
    return this.writer.write(async ({ manager }) => {
      const before = await this.lockOrFail(manager, id);
      if (before.status === to) return before;
      if (!from.includes(before.status)) throw new AccessStateError(before.id, before.status, from);
      await this.repository.setStatus(manager, before.id, to);
      const after = await this.findOrFail(manager, before.id);
      const states = { before: { status: before.status }, after: { status: to } };
      await this.audit.record(manager, { actor: actorOf(caller), action, resource, recordId: before.id, ...states });
      return after;
    });
  }

  private async refuseUnknownHolder(manager: CatalogTransaction['manager'], input: CreateAccess): Promise<void> {
    if (input.user_id !== undefined) await refuseUnknownUsers(manager, 'user_id', [input.user_id]);
    if (input.contact_id !== undefined && !(await this.repository.hasContact(manager, input.contact_id))) {
      throw new InvalidInputError([{ field: 'contact_id', problem: 'must be the id of a contact' }]);
    }
  }

  private async lockOrFail(manager: CatalogTransaction['manager'], id: string): Promise<AccessResponse> {
    const row = await this.repository.lock(manager, parseRecordId('access', id));
    if (!row) throw new UnknownRecordError('access', id);
    return toAccessResponse(row);
  }

  private async findOrFail(manager: CatalogTransaction['manager'], id: number): Promise<AccessResponse> {
    const row = await this.repository.find(id, manager);
    if (!row) throw new UnknownRecordError('access', String(id));
    return toAccessResponse(row);
  }
}

/** Returns the field that names the holder. @throws InvalidInputError if none or both fields are given */
function holderOf({ user_id, contact_id }: CreateAccess): 'user_id' | 'contact_id' {
  if ((user_id === undefined) === (contact_id === undefined)) {
    throw new InvalidInputError([
      { field: 'user_id', problem: 'must be given if contact_id is left out, and only then' },
    ]);
  }
  return user_id === undefined ? 'contact_id' : 'user_id';
}

function toAccessResponse(row: AccessResponse): AccessResponse {
  return {
    id: row.id,
    dataset_id: row.dataset_id,
    dataset_external_id: row.dataset_external_id,
    dataset_name: row.dataset_name,
    user_id: row.user_id,
    contact_id: row.contact_id,
    person_name: row.person_name,
    subject: row.subject,
    application: row.application,
    status: row.status,
    in_force: row.in_force,
    granted_at: row.granted_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    attempts: row.attempts,
    waits_for: row.waits_for,
    next_attempt_at: row.next_attempt_at,
    notes: row.notes,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
