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
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';

type ProtectedKind = 'project' | 'dataset' | 'contract';

/** The records of a list that a caller sees. */
export interface Sight {
  /** The name of the view in `view_records`. */
  readonly view: View;
  /** A condition on the row `document` of the list's documents. */
  readonly visible: Sql;
}

/** A person, by their key or signed in: both see the same of what is protected. */
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
 * Who sees which records: the table of the catalog interface, section 3, and the one place where it stands in code.
 * Each answer is a condition on the row `document` of a list's documents. A caller that is not named here sees nothing.
 */
@Injectable()
export class Visibility {
  private readonly inherits: boolean;

  constructor(settings: CatalogSettings) {
    this.inherits = settings.PROTECTED_INHERITS;
  }

  /**
   * The view of a caller on a list: its name in `view_records`, of which the files `*.views.sql` state the same rules.
   *
   * @param all of contracts: those outside the base set too, for callers who may see every one
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
   * @param all of contracts: includes those outside the base set if the caller may see every contract
   */
  sightOf(caller: Principal, list: ListName, all = false): Sight {
    const visible = list === 'contracts' ? this.contracts(caller, all) : this[list](caller);
    return { view: this.view(caller, list, all), visible };
  }

  /** Projects: all, those exposed to the endpoint, or those the user holds *protected* on. */
  projects(caller: Principal): Sql {
    if (isPerson(caller)) return this.protectedFor(caller, 'project');
    if (caller.kind === 'service') return withinLimits(caller, 'project');
    if (caller.kind !== 'endpoint') return caller.kind === 'global' ? everything : nothing;
    return sql`document.id IN (
        SELECT dataset.project_id FROM exposures AS exposure JOIN datasets AS dataset ON dataset.id = exposure.dataset_id
        WHERE exposure.endpoint_id = ${caller.endpointId}::integer)`;
  }

  /** Datasets: all, those exposed to the endpoint, or those the user holds *protected* on. */
  datasets(caller: Principal): Sql {
    if (isPerson(caller)) return this.protectedFor(caller, 'dataset');
    if (caller.kind === 'service') return withinLimits(caller, 'dataset');
    if (caller.kind !== 'endpoint') return caller.kind === 'global' ? everything : nothing;
    return sql`document.id IN (SELECT dataset_id FROM exposures WHERE endpoint_id = ${caller.endpointId}::integer)`;
  }

  /**
   * Contracts: the base set, of it those of projects exposed to the endpoint, or those the user holds *protected* on.
   *
   * @param all contracts outside the base set too, for callers who may see every one
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
   * Exposures by which a caller sees records as published, which is what linked data is made of: active ones, an
   * endpoint its own. Whoever sends no key sees those to public endpoints. A condition on `exposure` and `endpoint`.
   */
  exposures(caller: Principal): Sql {
    const active = sql`exposure.deprecated_at IS NULL`;
    if (caller.kind === 'endpoint') return sql`${active} AND exposure.endpoint_id = ${caller.endpointId}::integer`;
    return isPerson(caller) || caller.kind === 'global' || readsRecords(caller)
      ? active
      : sql`${active} AND endpoint.public`;
  }

  /** Exposures that a caller may know of: to public endpoints, and an endpoint's own. A condition likewise. */
  knownExposures(caller: Principal): Sql {
    return caller.kind === 'endpoint' ? this.exposures(caller) : sql`endpoint.public`;
  }

  /** Partners: the published ones; all with a key of the contract or a session. */
  partners(caller: Principal): Sql {
    if (caller.kind === 'service') return readsAllRecords(caller) ? everything : published;
    if (caller.kind === 'anonymous') return published;
    return caller.kind === 'unknown' ? nothing : everything;
  }

  /** Cohorts: the published ones; all for whoever sees unpublished ones. */
  cohorts(caller: Principal): Sql {
    return this.seesUnpublishedCohorts(caller) ? everything : published;
  }

  /** Whether a caller sees cohorts that are not published, and may choose by that. */
  seesUnpublishedCohorts(caller: Principal): boolean {
    return caller.kind === 'global' || readsAllRecords(caller) || isSignedInAs(caller, ...readers);
  }

  /** Whether a caller sees how to reach the people behind a cohort, and its unpublished institutes. */
  seesContactDetails(caller: Principal): boolean {
    return caller.kind === 'service' ? readsAllRecords(caller) : hasKey(caller);
  }

  /** Whether a caller sees which partners and cohorts are published: callers that may change that do. */
  seesPublication(caller: Principal): boolean {
    if (caller.kind === 'service') return hasScope(caller, 'records:write', 'records:publish');
    return caller.kind === 'global' || isSignedInAs(caller, ...curators);
  }

  /**
   * Conditions that records must meet to be named in a document of the caller, by kind. A kind that is not in the answer
   * is free: the caller reads all of it. A record that does not meet its condition counts as absent.
   */
  nameable(caller: Principal): Partial<Record<'projects' | 'partners' | 'cohorts' | 'platforms', Sql>> {
    if (isLimitedToProjects(caller)) {
      const platforms = sql`document.public`;
      return { projects: this.projects(caller), partners: published, cohorts: published, platforms };
    }
    return isPerson(caller) && !hasRole(caller, ...readers) ? { projects: this.projects(caller) } : {};
  }

  /** Records a user holds *protected* on: by role, as custodian, by grant, or through the project where that counts. */
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

/** Whether a program reads records, if only those that it has written. */
function readsRecords(caller: Principal): caller is ServicePrincipal {
  return hasScope(caller, 'records:read', 'records:write', 'records:publish');
}

/** Whether a program reads records of all projects. */
function readsAllRecords(caller: Principal): caller is ServicePrincipal {
  return readsRecords(caller) && caller.projects === null;
}

/**
 * Returns the view of a program that does not read all records: its own of what belongs to projects, and otherwise that
 * of callers without a key.
 */
function viewWithinLimits(caller: ServicePrincipal, list: ReadableList, all: boolean): View {
  if (list === 'partners' || list === 'cohorts' || !readsRecords(caller)) return 'anonymous';
  return list === 'contracts' && !all ? `service:${caller.keyId}:base` : `service:${caller.keyId}`;
}

/** Everything that a program may read of a kind: all of it, or what belongs to the projects of its key. */
function withinLimits(caller: ServicePrincipal, kind: ProtectedKind): Sql {
  if (!readsRecords(caller)) return nothing;
  if (caller.projects === null) return everything;
  const projects = sql`SELECT id FROM projects WHERE external_id = ANY (${caller.projects}::text[])`;
  if (kind === 'project') return sql`document.id IN (${projects})`;
  return sql`document.id IN (SELECT id FROM ${fixedSql(`${kind}s`)} WHERE project_id IN (${projects}))`;
}

function isSignedInAs(caller: Principal, ...wanted: readonly Role[]): boolean {
  return caller.kind === 'session' && hasRole(caller, ...wanted);
}

/** The ids of what a user is custodian of, or was granted. They are few, so a list begins with them, not with all records. */
function heldBy(user: Sql, kind: ProtectedKind): Sql {
  const [custodians, id] = [fixedSql(`${kind}_custodians`), fixedSql(`${kind}_id`)];
  return sql`SELECT ${id} FROM ${custodians} WHERE user_id = ${user}
    UNION ALL SELECT ${id} FROM grants WHERE user_id = ${user} AND ${id} IS NOT NULL`;
}
