import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { isDeepStrictEqual } from 'node:util';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import {
  findRecord,
  lockRecord,
  refuseUnknownUsers,
  changedByRights,
  type ProtectedResource,
} from '../../publishing/writing/protected-record.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import type { CustodiansResponse, SetProjectCustodians } from './custodians.dto.js';
import { CustodiansRepository, type UserRelation } from './custodians.repository.js';

type Manager = CatalogTransaction['manager'];

/** Manages custodians and personnel. Administrators only, because custodians hold the permission *protected*. */
@Injectable()
export class CustodiansService {
  constructor(
    private readonly repository: CustodiansRepository,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the custodians of a record and, for a project, the personnel. */
  async get(caller: Principal, resource: ProtectedResource, id: string): Promise<CustodiansResponse> {
    requireAdministrator(caller);
    const { manager } = this.repository;
    return this.list(manager, resource, await findRecord(manager, resource, id));
  }

  /**
   * Replaces the custodians of a record and, for a project, the personnel. A list that is absent stays unchanged.
   *
   * @throws InvalidInputError if an id is not the id of a user
   */
  async replace(
    caller: Principal,
    resource: ProtectedResource,
    id: string,
    input: SetProjectCustodians,
  ): Promise<CustodiansResponse> {
    requireAdministrator(caller);
    return this.writer.write(async ({ manager, touch }) => {
      await acquireWritingLock(manager);
      const recordId = await lockRecord(manager, resource, id);
      const before = await this.list(manager, resource, recordId);
      for (const relation of relationsOf(resource)) {
        const ids = input[relation];
        if (ids === undefined) continue;
        await refuseUnknownUsers(manager, relation, ids);
        await this.repository.replace(manager, resource, relation, recordId, ids);
      }
      const after = await this.list(manager, resource, recordId);
      if (isDeepStrictEqual(after, before)) return after;
      touch(changedByRights(resource, recordId));
      const write = { actor: actorOf(caller), action: 'set-custodians', resource, recordId };
      await this.audit.record(manager, { ...write, before: idsOf(before), after: idsOf(after) });
      return after;
    });
  }

  private async list(manager: Manager, resource: ProtectedResource, id: number): Promise<CustodiansResponse> {
    const custodians = await this.repository.list(manager, resource, 'custodians', id);
    if (resource !== 'projects') return { custodians };
    return { custodians, personnel: await this.repository.list(manager, resource, 'personnel', id) };
  }
}

function relationsOf(resource: ProtectedResource): readonly UserRelation[] {
  return resource === 'projects' ? ['custodians', 'personnel'] : ['custodians'];
}

function idsOf({ custodians, personnel }: CustodiansResponse): object {
  const ids = (users: CustodiansResponse['custodians']): number[] => users.map(({ id }) => id);
  return { custodians: ids(custodians), ...(personnel && { personnel: ids(personnel) }) };
}
