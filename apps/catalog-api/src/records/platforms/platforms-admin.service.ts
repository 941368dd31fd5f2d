import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, RecordInUseError, UnknownRecordError } from '@rdc/errors';
import { requireAdministrator, requireCurator } from '../../platform/administration/administrator.js';
import { applyChanges } from '../../platform/properties/changes.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { violatedConstraint } from '../../platform/database/postgres-errors.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import type {
  CreatePlatform,
  PlatformPage,
  PlatformResponse,
  SearchPlatforms,
  UpdatePlatform,
} from './platform-admin.dto.js';
import { PlatformsAdminRepository, type PlatformColumns } from './platforms-admin.repository.js';

const resource = 'platforms';

/** Manages storage platforms. Administrators only, except for the list. */
@Injectable()
export class PlatformsAdminService {
  constructor(
    private readonly repository: PlatformsAdminRepository,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns a page of platforms, ordered by name. Data stewards may call it too. */
  async search(caller: Principal, query: SearchPlatforms): Promise<PlatformPage> {
    requireCurator(caller);
    const page = await this.repository.search(query);
    return { ...page, items: page.items.map(toPlatformResponse) };
  }

  async get(caller: Principal, id: string): Promise<PlatformResponse> {
    requireAdministrator(caller);
    const row = await this.repository.find(parseRecordId('platform', id));
    if (!row) throw new UnknownRecordError('platform', id);
    return toPlatformResponse(row);
  }

  /** Creates a platform. @throws InvalidInputError if another platform has the name */
  async create(caller: Principal, input: CreatePlatform): Promise<PlatformResponse> {
    requireAdministrator(caller);
    return this.write(async ({ manager }) => {
      const recordId = await this.repository.insert(manager, input);
      const after = { name: input.name, public: input.public };
      await this.audit.record(manager, { actor: actorOf(caller), action: 'create', resource, recordId, after });
      return this.shown(manager, recordId);
    });
  }

  /** Changes the given members, and rebuilds the documents. If no value differs, nothing is written. */
  async update(caller: Principal, id: string, changes: UpdatePlatform): Promise<PlatformResponse> {
    requireAdministrator(caller);
    return this.write(async ({ manager, touch }) => {
      const row = await this.lockOrFail(manager, id);
      const before: PlatformColumns = { name: row.name, public: row.public };
      const after = applyChanges(before, changes);
      if (!after) return row;
      await this.repository.update(manager, row.id, after);
      touch({ platforms: [row.id] });
      const write = { actor: actorOf(caller), action: 'update', resource, recordId: row.id };
      await this.audit.record(manager, { ...write, before, after });
      return this.shown(manager, row.id);
    });
  }

  /** Removes a platform. @throws RecordInUseError if a copy of a dataset is stored on the platform */
  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.write(async ({ manager }) => {
      const row = await this.lockOrFail(manager, id);
      if (row.datasets > 0) throw new RecordInUseError('platform', id, { datasets: row.datasets });
      await this.repository.remove(manager, row.id);
      const write = { actor: actorOf(caller), action: 'remove', resource, recordId: row.id };
      await this.audit.record(manager, { ...write, before: { name: row.name, public: row.public } });
    });
  }

  private async lockOrFail(manager: CatalogTransaction['manager'], id: string): Promise<PlatformResponse> {
    const row = await this.repository.lock(manager, parseRecordId('platform', id));
    if (!row) throw new UnknownRecordError('platform', id);
    return toPlatformResponse(row);
  }

  private async shown(manager: CatalogTransaction['manager'], id: number): Promise<PlatformResponse> {
    return this.lockOrFail(manager, String(id));
  }

  private async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    try {
      return await this.writer.write(async (transaction) => {
        await acquireWritingLock(transaction.manager);
        return work(transaction);
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'platforms_name_key') throw error;
      throw new InvalidInputError([{ field: 'name', problem: 'is that of another platform' }]);
    }
  }
}

function toPlatformResponse(row: PlatformResponse): PlatformResponse {
  const { id, name, public: isPublic, datasets, created_at, updated_at } = row;
  return { id, name, public: isPublic, datasets, created_at, updated_at };
}
