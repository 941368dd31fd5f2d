import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, RecordInUseError, UnknownRecordError } from '@rdc/errors';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { applyChanges } from '../../platform/properties/changes.js';
import { parseExpiry } from '../../platform/properties/expiry.js';
import type { IssuedKey } from '../../platform/properties/key.dto.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { violatedConstraint } from '../../platform/database/postgres-errors.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { KeyIssuer } from '../keys/key-issuer.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import type { CreateUser, IssueUserKey, SearchUsers, UpdateUser, UserPage, UserResponse } from './user-admin.dto.js';
import { UsersAdminRepository, type UserColumns, type UserRow } from './users-admin.repository.js';

const resource = 'users';

/** Manages users, their roles and their keys. Administrators only. */
@Injectable()
export class UsersAdminService {
  constructor(
    private readonly repository: UsersAdminRepository,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
    private readonly keys: KeyIssuer,
    private readonly factors: SecondFactors,
  ) {}

  /** Returns a page of users, sorted by last and first name. */
  async search(caller: Principal, query: SearchUsers): Promise<UserPage> {
    requireAdministrator(caller);
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toUserResponse) };
  }

  async get(caller: Principal, id: string): Promise<UserResponse> {
    requireAdministrator(caller);
    return toUserResponse(await this.findOrFail(id));
  }

  /** Creates a user. @throws InvalidInputError if another user has the e-mail address or the subject */
  async create(caller: Principal, input: CreateUser): Promise<UserResponse> {
    requireAdministrator(caller);
    return this.write(async ({ manager }) => {
      const after = toUserResponse(await this.repository.insert(manager, input));
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

  /** Changes the given members. If no value differs, nothing is written. */
  async update(caller: Principal, id: string, changes: UpdateUser): Promise<UserResponse> {
    requireAdministrator(caller);
    return this.write(async ({ manager, touch }) => {
      const before = await this.repository.lock(manager, parseRecordId('user', id));
      if (!before) throw new UnknownRecordError('user', id);
      const columns = applyChanges<UserColumns>(before, changes);
      if (!columns) return toUserResponse(before);
      await this.audit.attribute(manager, actorOf(caller));
      const after = await this.repository.update(manager, before.id, columns);
      touch({ users: [after.id] });
      const states = { before: toUserResponse(before), after: toUserResponse(after) };
      const write = { actor: actorOf(caller), action: 'update', resource, recordId: before.id };
      await this.audit.record(manager, { ...write, ...states });
      return states.after;
    });
  }

  /** Removes a user. @throws RecordInUseError if records, grants or accesses refer to the user */
  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.write(async ({ manager }) => {
      const user = await this.repository.lock(manager, parseRecordId('user', id));
      if (!user) throw new UnknownRecordError('user', id);
      const references = await this.repository.countReferences(manager, user.id);
      if (Object.keys(references).length > 0) {
        throw new RecordInUseError('user', id, references, 'deactivate the user instead');
      }
      await this.repository.remove(manager, user.id);
      const before = toUserResponse(user);
      await this.audit.record(manager, {
        actor: actorOf(caller),
        action: 'remove',
        resource,
        recordId: user.id,
        before,
      });
    });
  }

  /** Issues a new personal key and ends the previous key. @throws InvalidInputError if the end is in the past */
  async issueKey(caller: Principal, id: string, { expires_at }: IssueUserKey): Promise<IssuedKey> {
    requireAdministrator(caller);
    const expiresAt = parseExpiry(expires_at);
    const user = await this.findOrFail(id);
    if (!user.active) {
      throw new InvalidInputError([{ field: '', problem: `The user "${id}" is deactivated: activate the user first` }]);
    }
    return {
      key: await this.keys.issueForUser(user.id, { expiresAt, actor: actorOf(caller) }),
      expires_at: expiresAt,
    };
  }

  /** Ends the personal key. */
  async revokeKey(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    const user = await this.findOrFail(id);
    await this.keys.revokeForUser(user.id, actorOf(caller));
  }

  /** Removes the second factor of a user. @throws AccessDeniedError, UnknownRecordError */
  async removeSecondFactor(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    const user = await this.findOrFail(id);
    await this.factors.remove(user.id, actorOf(caller));
  }

  private async findOrFail(id: string): Promise<UserRow> {
    const row = await this.repository.find(parseRecordId('user', id));
    if (!row) throw new UnknownRecordError('user', id);
    return row;
  }

  private async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    try {
      return await this.writer.write(work);
    } catch (error) {
      const field = { users_email_key: 'email', users_subject_key: 'subject' }[violatedConstraint(error) ?? ''];
      if (!field) throw error;
      throw new InvalidInputError([{ field, problem: 'must differ from that of every other user' }]);
    }
  }
}

/** Lists the members that administrators see. No member identifies a key or a password. */
function toUserResponse(row: UserRow): UserResponse {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    subject: row.subject,
    roles: row.roles,
    principal_investigator: row.principal_investigator,
    active: row.active,
    technical: row.technical,
    has_password: row.has_password,
    has_second_factor: row.has_second_factor,
    key: row.has_key
      ? { expires_at: row.key_expires_at, last_used_at: row.key_last_used_at, valid: row.key_valid }
      : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
