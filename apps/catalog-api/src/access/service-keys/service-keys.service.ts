import { Injectable } from '@nestjs/common';
import { isScope, type Principal } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { applyChanges } from '../../platform/properties/changes.js';
import { parseExpiry } from '../../platform/properties/expiry.js';
import type { IssuedKey } from '../../platform/properties/key.dto.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { violatedConstraint } from '../../platform/database/postgres-errors.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import type {
  CreatedServiceKey,
  CreateServiceKey,
  RotateServiceKey,
  SearchServiceKeys,
  ServiceKeyPage,
  ServiceKeyResponse,
  UpdateServiceKey,
} from './service-key.dto.js';
import { takenName, ServiceKeyIssuer, serviceKeysResource, touchLimits } from './service-key-issuer.js';
import { checkRights } from './service-key-rules.js';
import { ServiceKeysRepository, type ServiceKeyColumns, type ServiceKeyRow } from './service-keys.repository.js';

const word = 'service key';

/** Manages service keys. Administrators only, so no service key can create or change a service key. */
@Injectable()
export class ServiceKeysService {
  constructor(
    private readonly repository: ServiceKeysRepository,
    private readonly issuer: ServiceKeyIssuer,
    private readonly audit: AuditTrail,
    private readonly catalog: CatalogWriter,
  ) {}

  /** Returns a page of service keys, sorted by name, including revoked keys. */
  async search(caller: Principal, query: SearchServiceKeys): Promise<ServiceKeyPage> {
    requireAdministrator(caller);
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toServiceKeyResponse) };
  }

  /** Returns a service key. @throws UnknownRecordError if the service key does not exist */
  async get(caller: Principal, id: string): Promise<ServiceKeyResponse> {
    requireAdministrator(caller);
    const row = await this.repository.find(parseRecordId(word, id));
    if (!row) throw new UnknownRecordError(word, id);
    return toServiceKeyResponse(row);
  }

  /** Creates a service key. @throws InvalidInputError as {@link ServiceKeyIssuer.create} does */
  async create(caller: Principal, input: CreateServiceKey): Promise<CreatedServiceKey> {
    requireAdministrator(caller);
    const { name, scopes, submissions = null, projects = null } = input;
    const values = { name, scopes, submissions, projects, expires_at: parseExpiry(input.expires_at) };
    return this.write(async (transaction) => {
      const { id, key } = await this.issuer.create(transaction, values, actorOf(caller));
      return Object.assign(toServiceKeyResponse(await this.lockOrFail(transaction.manager, String(id))), { key });
    });
  }

  /** Changes the given members if a value differs. @throws UnknownRecordError if the service key does not exist */
  async update(caller: Principal, id: string, input: UpdateServiceKey): Promise<ServiceKeyResponse> {
    requireAdministrator(caller);
    const { expires_at, ...rights } = input;
    const changes = { ...rights, ...(expires_at !== undefined && { expires_at: parseExpiry(expires_at) }) };
    return this.write(async ({ manager, touch }) => {
      const row = await this.lockOrFail(manager, id);
      const before = columnsOf(row);
      const after = applyChanges<ServiceKeyColumns>(before, changes);
      if (!after) return toServiceKeyResponse(row);
      checkRights(after);
      await this.repository.update(manager, row.id, after);
      touchLimits(touch, before, after);
      await this.recordChange(manager, caller, 'update', { id: row.id, before, after });
      return toServiceKeyResponse(await this.lockOrFail(manager, id));
    });
  }

  /** Creates another secret. Previous secrets end after the overlap. @throws UnknownRecordError if unknown or revoked */
  async rotate(caller: Principal, id: string, { overlap_seconds }: RotateServiceKey): Promise<IssuedKey> {
    requireAdministrator(caller);
    return this.write(async ({ manager }) => {
      const row = await this.lockOrFail(manager, id);
      if (row.revoked_at !== null) throw new UnknownRecordError(word, id);
      const options = { actor: actorOf(caller), overlapSeconds: overlap_seconds };
      return { key: await this.issuer.rotate(manager, row.id, options), expires_at: row.expires_at };
    });
  }

  /** Revokes a service key, also repeatedly. @throws UnknownRecordError if the service key does not exist */
  async revoke(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.write(async ({ manager, touch }) => {
      const row = await this.lockOrFail(manager, id);
      if (row.revoked_at !== null) return;
      await this.repository.setRevoked(manager, row.id, true);
      touchLimits(touch, row);
      await this.repository.endSecrets(manager, row.id, 0);
      await this.recordChange(manager, caller, 'revoke', { id: row.id, before: { name: row.name, ...columnsOf(row) } });
    });
  }

  private async lockOrFail(manager: EntityManager, id: string): Promise<ServiceKeyRow> {
    const row = await this.repository.lock(manager, parseRecordId(word, id));
    if (!row) throw new UnknownRecordError(word, id);
    return row;
  }

  private recordChange(
    manager: EntityManager,
    caller: Principal,
    action: string,
    { id, before, after }: { id: number; before: object; after?: object },
  ): Promise<void> {
    const write = { actor: actorOf(caller), action, resource: serviceKeysResource, recordId: id, before, after };
    return this.audit.record(manager, write);
  }

  private async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    try {
      return await this.catalog.write(work);
    } catch (error) {
      if (violatedConstraint(error) === 'service_keys_name_key') throw takenName();
      throw error;
    }
  }
}

function columnsOf({ scopes, submissions, projects, expires_at }: ServiceKeyRow): ServiceKeyColumns {
  return { scopes, submissions, projects, expires_at };
}

/** Lists the members that administrators see. No member identifies a key. */
function toServiceKeyResponse(row: ServiceKeyRow): ServiceKeyResponse {
  const secrets = row.secrets.map((secret) => ({
    id: secret.id,
    created_at: new Date(secret.created_at),
    expires_at: dateOrNull(secret.expires_at),
    last_used_at: dateOrNull(secret.last_used_at),
    valid: secret.valid,
  }));
  const uses = secrets.flatMap(({ last_used_at }) => last_used_at?.getTime() ?? []);
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.filter(isScope),
    submissions: row.submissions,
    projects: row.projects,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    last_used_at: uses.length === 0 ? null : new Date(Math.max(...uses)),
    valid: secrets.some(({ valid }) => valid),
    secrets,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
