import { Injectable } from '@nestjs/common';
import {
  hasRole,
  hasScope,
  isLimitedToProjects,
  type Principal,
  type Role,
  type ServicePrincipal,
  type SessionPrincipal,
  type UserPrincipal,
} from '@rdc/auth';
import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { ListName, ReadableList } from '../documents/list-names.js';
import type { View } from '../documents/view.entity.js';
import { DocumentsSettings } from '../documents/documents.settings.js';

type ProtectedKind = 'project' | 'dataset' | 'contract';

/** The records of a list that a caller sees. */
export interface VisibleRecords {
  /** The name of the view in `view_records`. */
  readonly view: View;
  /** A condition on the row `document` of the list's documents. */
  readonly visible: Sql;
  /** Whether the caller sees every record of the list. */
  readonly isWhole: boolean;
}

/** A person with a key or a session. Both see the same protected records. */
type Person = UserPrincipal | SessionPrincipal;

/** Roles that hold *protected* on everything. */
const readers: readonly Role[] = ['admin', 'data_steward', 'auditor'];

/** Roles that write partners and cohorts. */
const curators: readonly Role[] = ['admin', 'data_steward'];

const everything = sql`true`;
const nothing = sql`false`;
const published = sql`document.published`;

/** Contracts whose project has a dataset with an exposure, deprecated ones included. */
const baseSet = sql`document.id IN (
  SELECT id FROM contracts WHERE project_id IN (
    SELECT project_id FROM datasets WHERE id IN (SELECT dataset_id FROM exposures)))`;

/**
 * Determines which records each caller may read. Methods that return SQL return a condition on the row `document` of a list's documents. A caller that no rule mentions sees no record.
 */
@Injectable()
export class Visibility {
  private readonly inherits: boolean;

  constructor(settings: DocumentsSettings) {
    this.inherits = settings.PROTECTED_INHERITS;
  }

  /**
   * Returns the name of a caller's view of a list. The files `*.views.sql` implement the same rules for `view_records`.
   *
   * @param all whether contracts outside the base set are included if the caller may see every contract
   */
  view(caller: Principal, list: ReadableList, all = false): View {
    if (list === 'users') return 'all';
    if (caller.kind === 'service' && !readsAllRecords(caller)) return viewWithinLimits(caller, list, all);
    if (list === 'partners') return hasKey(caller) ? 'key' : 'anonymous';
    if (list === 'cohorts') {
      if (this.seesUnpublishedCohorts(caller)) return 'all';
      return this.seesContactDetails(caller) ? 'key' : 'anonymous';
    }
    if (caller.kind === 'endpoint') return `endpoint:${caller.endpointId}`;
    const seesAll = caller.kind === 'global' || hasRole(caller, ...readers) || caller.kind === 'service';
    if (list === 'contracts' && (seesAll || hasRole(caller, 'legal'))) {
      return all && caller.kind !== 'user' ? 'all' : 'base';
    }
    if (seesAll) return 'all';
    return isPerson(caller) ? `user:${caller.userId}` : 'anonymous';
  }

  /**
   * Returns the records of a list that a caller sees.
   *
   * @param all whether contracts outside the base set are included if the caller may see every contract
   */
  visibleRecords(caller: Principal, list: ListName, all = false): VisibleRecords {
    const visible = list === 'contracts' ? this.contracts(caller, all) : this[list](caller);
    return { view: this.view(caller, list, all), visible, isWhole: visible === everything };
  }

  /**
   * Returns the condition of projects: all, those exposed to the endpoint, or those on which the user holds
   * *protected*.
   */
  projects(caller: Principal): Sql {
    if (isPerson(caller)) return this.protectedFor(caller, 'project');
    if (caller.kind === 'service') return withinLimits(caller, 'project');
    if (caller.kind !== 'endpoint') return caller.kind === 'global' ? everything : nothing;
    return sql`document.id IN (
        SELECT dataset.project_id FROM exposures AS exposure JOIN datasets AS dataset ON dataset.id = exposure.dataset_id
        WHERE exposure.endpoint_id = ${caller.endpointId}::integer)`;
  }

  /**
   * Returns the condition of datasets: all, those exposed to the endpoint, or those on which the user holds
   * *protected*.
   */
  datasets(caller: Principal): Sql {
    if (isPerson(caller)) return this.protectedFor(caller, 'dataset');
    if (caller.kind === 'service') return withinLimits(caller, 'dataset');
    if (caller.kind !== 'endpoint') return caller.kind === 'global' ? everything : nothing;
    return sql`document.id IN (SELECT dataset_id FROM exposures WHERE endpoint_id = ${caller.endpointId}::integer)`;
  }

  /**
   * Returns the condition of contracts: the base set, or its contracts of projects exposed to the endpoint, or its
   * contracts on which the user holds *protected*.
   *
   * @param all whether contracts outside the base set are included if the caller may see every contract
   */
  contracts(caller: Principal, all: boolean): Sql {
    if (caller.kind === 'global' || isSignedInAs(caller, ...readers, 'legal')) return all ? everything : baseSet;
    if (isPerson(caller)) return sql`(${this.protectedFor(caller, 'contract')}) AND ${baseSet}`;
    if (caller.kind === 'service')
      return all ? withinLimits(caller, 'contract') : sql`(${withinLimits(caller, 'contract')}) AND ${baseSet}`;
    if (caller.kind !== 'endpoint') return nothing;
    return sql`document.id IN (
        SELECT contract.id FROM contracts AS contract JOIN datasets AS dataset USING (project_id)
        JOIN exposures AS exposure ON exposure.dataset_id = dataset.id
        WHERE exposure.endpoint_id = ${caller.endpointId}::integer)`;
  }

  /**
   * Returns the condition on `exposure` and `endpoint` of the exposures that publish records as linked data to a
   * caller: active exposures, for an endpoint its own, and for a caller without a key those to public endpoints.
   */
  exposures(caller: Principal): Sql {
    const active = sql`exposure.deprecated_at IS NULL`;
    if (caller.kind === 'endpoint') return sql`${active} AND exposure.endpoint_id = ${caller.endpointId}::integer`;
    return isPerson(caller) || caller.kind === 'global' || readsRecords(caller)
      ? active
      : sql`${active} AND endpoint.public`;
  }

  /**
   * Returns the condition of the exposures whose existence a caller may know: those to public endpoints and the caller.
   */
  knownExposures(caller: Principal): Sql {
    return caller.kind === 'endpoint' ? this.exposures(caller) : sql`endpoint.public`;
  }

  /** Returns the condition of partners: all for callers with a key or a session, otherwise those that are published. */
  partners(caller: Principal): Sql {
    if (caller.kind === 'service') return readsAllRecords(caller) ? everything : published;
    if (caller.kind === 'anonymous') return published;
    return caller.kind === 'unknown' ? nothing : everything;
  }

  /**
   * Returns the condition of cohorts: all for callers who see unpublished cohorts, otherwise those that are published.
   */
  cohorts(caller: Principal): Sql {
    return this.seesUnpublishedCohorts(caller) ? everything : published;
  }

  seesUnpublishedCohorts(caller: Principal): boolean {
    return caller.kind === 'global' || readsAllRecords(caller) || isSignedInAs(caller, ...readers);
  }

  /**
   * Returns whether a caller sees the contact details of a cohort's people, and the cohort's unpublished institutes.
   */
  seesContactDetails(caller: Principal): boolean {
    return caller.kind === 'service' ? readsAllRecords(caller) : hasKey(caller);
  }

  /** Returns whether a caller sees which partners and cohorts are published. Callers who may publish see it. */
  seesPublication(caller: Principal): boolean {
    if (caller.kind === 'service') return hasScope(caller, 'records:write', 'records:publish');
    return caller.kind === 'global' || isSignedInAs(caller, ...curators);
  }

  /**
   * Returns, by kind, the conditions of the records that a document of the caller may name. A kind without a condition
   * is unrestricted. A record that does not meet the condition counts as absent.
   */
  nameable(caller: Principal): Partial<Record<'projects' | 'partners' | 'cohorts' | 'platforms', Sql>> {
    if (isLimitedToProjects(caller)) {
      const platforms = sql`document.public`;
      return { projects: this.projects(caller), partners: published, cohorts: published, platforms };
    }
    return isPerson(caller) && !hasRole(caller, ...readers) ? { projects: this.projects(caller) } : {};
  }

  /** Returns the condition of the records on which a user holds *protected*: by role, custody, grant or project. */
  private protectedFor(caller: Person, kind: ProtectedKind): Sql {
    if (hasRole(caller, ...readers)) return everything;
    if (kind === 'contract' && hasRole(caller, 'legal')) return everything;
    const user = sql`${caller.userId}::integer`;
    const own = heldBy(user, kind);
    if (!this.inherits || kind === 'project') return sql`document.id IN (${own})`;
    return sql`document.id IN (
      ${own} UNION ALL SELECT id FROM ${fixedSql(`${kind}s`)} WHERE project_id IN (${heldBy(user, 'project')}))`;
  }
}

function hasKey(caller: Principal): boolean {
  return caller.kind !== 'anonymous' && caller.kind !== 'unknown';
}

function isPerson(caller: Principal): caller is Person {
  return caller.kind === 'user' || caller.kind === 'session';
}

/** Returns whether a program reads records. A program that writes records may read them. */
function readsRecords(caller: Principal): caller is ServicePrincipal {
  return hasScope(caller, 'records:read', 'records:write', 'records:publish');
}

/** Returns whether a program reads records of all projects. */
function readsAllRecords(caller: Principal): caller is ServicePrincipal {
  return readsRecords(caller) && caller.projects === null;
}

/**
 * Returns the view of a program that does not read all records. Records of projects have a view per key; other records
 * have the view of callers without a key.
 */
function viewWithinLimits(caller: ServicePrincipal, list: ReadableList, all: boolean): View {
  if (list === 'partners' || list === 'cohorts' || !readsRecords(caller)) return 'anonymous';
  return list === 'contracts' && !all ? `service:${caller.keyId}:base` : `service:${caller.keyId}`;
}

/** Returns the condition of the records that a program may read: all, or those of the projects of the key. */
function withinLimits(caller: ServicePrincipal, kind: ProtectedKind): Sql {
  if (!readsRecords(caller)) return nothing;
  if (caller.projects === null) return everything;
  const projects = sql`SELECT id FROM projects WHERE external_id = ANY (${caller.projects}::text[])`;
  if (kind === 'project') return sql`document.id IN (${projects})`;
  return sql`document.id IN (SELECT id FROM ${fixedSql(`${kind}s`)} WHERE project_id IN (${projects}))`;
}

function isSignedInAs(caller: Principal, ...roles: readonly Role[]): boolean {
  return caller.kind === 'session' && hasRole(caller, ...roles);
}

/**
 * Returns the ids of records that a user holds by custody or grant. They are few, so that plans start with these ids.
 */
function heldBy(user: Sql, kind: ProtectedKind): Sql {
  const [custodians, id] = [fixedSql(`${kind}_custodians`), fixedSql(`${kind}_id`)];
  return sql`SELECT ${id} FROM ${custodians} WHERE user_id = ${user}
    UNION ALL SELECT ${id} FROM grants WHERE user_id = ${user} AND ${id} IS NOT NULL`;
}
