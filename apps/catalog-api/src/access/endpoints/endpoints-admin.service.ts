import { Injectable } from '@nestjs/common';
import { KeyDirectory, type Principal } from '@rdc/auth';
import { InvalidInputError, RecordInUseError, UnknownRecordError } from '@rdc/errors';
import { requireAdministrator, requireCurator } from '../../platform/administration/administrator.js';
import { applyChanges } from '../../platform/properties/changes.js';
import { parseExpiry } from '../../platform/properties/expiry.js';
import type { IssuedKey } from '../../platform/properties/key.dto.js';
import type { PageParameters } from '../../platform/lists/page.dto.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { violatedConstraint } from '../../platform/database/postgres-errors.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { KeyIssuer, takenKey } from '../../people/keys/key-issuer.js';
import type {
  CreatedEndpoint,
  CreateEndpoint,
  EndpointExposure,
  EndpointExposurePage,
  EndpointPage,
  EndpointResponse,
  IssueEndpointKey,
  SearchEndpoints,
  UpdateEndpoint,
} from './endpoint-admin.dto.js';
import { EndpointsAdminRepository, type EndpointColumns, type EndpointRow } from './endpoints-admin.repository.js';

const resource = 'endpoints';

/** Manages endpoints and their keys. Administrators only, except for the list. */
@Injectable()
export class EndpointsAdminService {
  constructor(
    private readonly repository: EndpointsAdminRepository,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
    private readonly keys: KeyIssuer,
    private readonly directory: KeyDirectory,
  ) {}

  /** Returns a page of endpoints, sorted by name. Data stewards may call it too. */
  async search(caller: Principal, query: SearchEndpoints): Promise<EndpointPage> {
    requireCurator(caller);
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toEndpointResponse) };
  }

  async get(caller: Principal, id: string): Promise<EndpointResponse> {
    requireAdministrator(caller);
    return toEndpointResponse(await this.findOrFail(id));
  }

  /** Returns a page of the datasets that are or were exposed to an endpoint, newest first. */
  async exposures(caller: Principal, id: string, query: PageParameters): Promise<EndpointExposurePage> {
    requireAdministrator(caller);
    const endpoint = await this.findOrFail(id);
    const page = await this.repository.exposuresOf(endpoint.id, query);
    return { ...page, items: page.items.map(toEndpointExposure) };
  }

  /**
   * Creates an endpoint with the given key or a generated key.
   *
   * @throws InvalidInputError if the name or the key is taken
   */
  async create(caller: Principal, input: CreateEndpoint): Promise<CreatedEndpoint> {
    requireAdministrator(caller);
    await this.refuseGlobalKey(input.key);
    return this.write(async ({ manager }) => {
      const actor = actorOf(caller);
      const recordId = await this.repository.insert(manager, input);
      const after = { name: input.name, url_pattern: input.url_pattern, public: input.public };
      await this.audit.record(manager, { actor, action: 'create', resource, recordId, after });
      const key = await this.keys.issueForEndpointIn(manager, recordId, { key: input.key, actor });
      const row = await this.repository.find(recordId, manager);
      if (!row) throw new UnknownRecordError('endpoint', String(recordId));
      return Object.assign(toEndpointResponse(row), { key });
    });
  }

  /** Changes the given members. If no value differs, nothing is written. */
  async update(caller: Principal, id: string, changes: UpdateEndpoint): Promise<EndpointResponse> {
    requireAdministrator(caller);
    return this.write(async ({ manager, touch }) => {
      const row = await this.lockOrFail(manager, id);
      const before = columnsOf(row);
      const after = applyChanges<EndpointColumns>(before, changes);
      if (!after) return toEndpointResponse(row);
      await this.repository.update(manager, row.id, after);
      if (after.public !== before.public || after.url_pattern !== before.url_pattern) {
        touch({ exposed: await this.repository.exposedTo(manager, row.id) });
      }
      const write = { actor: actorOf(caller), action: 'update', resource, recordId: row.id };
      await this.audit.record(manager, { ...write, before, after });
      return toEndpointResponse(await this.lockOrFail(manager, id));
    });
  }

  /** @throws RecordInUseError if datasets are or were exposed to the endpoint, because exposures record withdrawals */
  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.write(async ({ manager }) => {
      const row = await this.lockOrFail(manager, id);
      const exposures = await this.repository.countExposures(manager, row.id);
      if (exposures > 0) throw new RecordInUseError('endpoint', id, { exposures }, 'revoke its key instead');
      await this.repository.remove(manager, row.id);
      const write = { actor: actorOf(caller), action: 'remove', resource, recordId: row.id };
      await this.audit.record(manager, { ...write, before: columnsOf(row) });
    });
  }

  /** Issues a given or a generated key. Previous keys end after the overlap. @throws InvalidInputError if the key is taken */
  async issueKey(caller: Principal, id: string, input: IssueEndpointKey): Promise<IssuedKey> {
    requireAdministrator(caller);
    const expiresAt = parseExpiry(input.expires_at);
    await this.refuseGlobalKey(input.key);
    const key = await this.keys.issueForEndpoint(parseRecordId('endpoint', id), {
      key: input.key,
      overlapSeconds: input.overlap_seconds,
      expiresAt,
      actor: actorOf(caller),
    });
    return { key, expires_at: expiresAt };
  }

  /** Ends every key of the endpoint. */
  async revokeKeys(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    const { id: endpointId } = await this.findOrFail(id);
    await this.keys.revokeForEndpoint(endpointId, actorOf(caller));
  }

  private async refuseGlobalKey(key: string | undefined): Promise<void> {
    if (key !== undefined && (await this.directory.identify(key, 'write')).kind === 'global') throw takenKey();
  }

  private async findOrFail(id: string): Promise<EndpointRow> {
    const row = await this.repository.find(parseRecordId('endpoint', id));
    if (!row) throw new UnknownRecordError('endpoint', id);
    return row;
  }

  private async lockOrFail(manager: CatalogTransaction['manager'], id: string): Promise<EndpointRow> {
    const row = await this.repository.lock(manager, parseRecordId('endpoint', id));
    if (!row) throw new UnknownRecordError('endpoint', id);
    return row;
  }

  private async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    try {
      return await this.writer.write(work);
    } catch (error) {
      if (violatedConstraint(error) !== 'endpoints_name_key') throw error;
      throw new InvalidInputError([{ field: 'name', problem: 'must differ from the names of other endpoints' }]);
    }
  }
}

function columnsOf(row: EndpointRow): EndpointColumns {
  return { name: row.name, url_pattern: row.url_pattern, public: row.public };
}

function toEndpointExposure(row: EndpointExposure): EndpointExposure {
  const { id, dataset_id, dataset_external_id, dataset_name, form_id, released_at, deprecated_at } = row;
  return { id, dataset_id, dataset_external_id, dataset_name, form_id, released_at, deprecated_at };
}

/** Lists the members that administrators see. No member identifies a key. */
function toEndpointResponse(row: EndpointRow): EndpointResponse {
  return {
    id: row.id,
    name: row.name,
    url_pattern: row.url_pattern,
    public: row.public,
    active_exposures: row.active_exposures,
    keys: row.keys.map((key) => ({
      id: key.id,
      created_at: new Date(key.created_at),
      expires_at: key.expires_at === null ? null : new Date(key.expires_at),
      last_used_at: key.last_used_at === null ? null : new Date(key.last_used_at),
      valid: key.valid,
    })),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
