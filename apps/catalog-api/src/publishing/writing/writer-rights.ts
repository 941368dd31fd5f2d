import { hasRole, hasScope, isLimitedToProjects, type CallerRule, type Principal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';
import { Injectable } from '@nestjs/common';
import { requireCaller } from '../../platform/administration/require-caller.js';
import type { Sql } from '../../platform/database/sql.js';
import type { ListName } from '../documents/list-names.js';
import { Visibility } from '../visibility/visibility.js';
import type { ReferredKind } from './references.js';

/** The rights of a writer that concern other records. */
export interface WriterRights {
  /** The kinds of record that `?create_missing=true` may create. */
  readonly creatable: readonly ReferredKind[];
  /**
   * Conditions on the row `document` of records that the writer may name. A kind without a condition is unrestricted.
   */
  readonly nameable: Readonly<Partial<Record<ReferredKind, Sql>>>;
  /**
   * Whether the writer is limited to projects. Each document must then name a project, without an accession or a UUID.
   */
  readonly isLimited: boolean;
}

/** The rights of the command line and of the global key. */
export const allRights: WriterRights = {
  creatable: ['partners', 'cohorts', 'projects', 'platforms'],
  nameable: {},
  isLimited: false,
};

const curated: readonly ReferredKind[] = ['partners', 'cohorts', 'projects'];

/** The lists that a key with limited projects may write. */
const writableWithinProjects: readonly ListName[] = ['datasets', 'contracts'];

/** The callers that write records, by any of the routes that write. */
const writers: readonly CallerRule[] = [
  'global',
  'session:admin',
  'session:data_steward',
  'scope:records:write',
  'scope:records:publish',
  'scope:bulk',
  'scope:storages:write',
];

/** Determines which records a writer may name and create indirectly: only records that direct requests permit too. */
@Injectable()
export class WriterRightsResolver {
  constructor(private readonly visibility: Visibility) {}

  /**
   * @throws AccessDeniedError if the caller may not write records of the list, or if the key is limited to projects and
   *   records of the list do not belong to projects
   */
  resolve(caller: Principal, list: ListName): WriterRights {
    requireCaller(caller, list === 'contracts' ? [...writers, 'session:legal'] : writers);
    const isLimited = isLimitedToProjects(caller);
    if (isLimited && !writableWithinProjects.includes(list)) {
      throw new AccessDeniedError(
        `The service key "${caller.name}" is limited to projects: it may write only ${writableWithinProjects.join(' and ')}.`,
      );
    }
    return { creatable: creatableBy(caller), nameable: this.visibility.nameable(caller), isLimited };
  }
}

/** Returns the kinds that a caller may create directly. */
function creatableBy(caller: Principal): readonly ReferredKind[] {
  if (caller.kind === 'global') return allRights.creatable;
  if (caller.kind === 'session' && hasRole(caller, 'admin')) return allRights.creatable;
  if (caller.kind === 'session' && hasRole(caller, 'data_steward')) return curated;
  const createsRecords = hasScope(caller, 'records:write', 'bulk') && caller.projects === null;
  return [...(createsRecords ? curated : []), ...(hasScope(caller, 'storages:write') ? (['platforms'] as const) : [])];
}
