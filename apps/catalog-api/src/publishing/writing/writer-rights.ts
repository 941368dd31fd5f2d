import { hasRole, hasScope, isLimitedToProjects, type CallerRule, type Principal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';
import { Injectable } from '@nestjs/common';
import { requireCaller } from '../../platform/administration/require-caller.js';
import type { Sql } from '../../platform/database/sql.js';
import type { ListName } from '../documents/list-names.js';
import { Visibility } from '../visibility/visibility.js';
import type { ReferredKind } from './references.js';

/** What a writer may do beside the documents that it sends. */
export interface WriterRights {
  /** Kinds of record that `?create_missing=true` may make for the writer. */
  readonly creatable: readonly ReferredKind[];
  /** Conditions on the row `document` of records that the writer may name; a kind that is absent here is free. */
  readonly nameable: Readonly<Partial<Record<ReferredKind, Sql>>>;
  /** Whether the writer is limited to some projects: each document must name one, and gives no accession and no UUID. */
  readonly isLimited: boolean;
}

/** The rights of an operator at the command line, and of the global key. */
export const allRights: WriterRights = {
  creatable: ['partners', 'cohorts', 'projects', 'platforms'],
  nameable: {},
  isLimited: false,
};

const curated: readonly ReferredKind[] = ['partners', 'cohorts', 'projects'];

/** Lists that a key with a limit of projects may write: what belongs to a project. */
const writableWithinProjects: readonly ListName[] = ['datasets', 'contracts'];

/** Callers that write records, by any of the routes that write. */
const writers: readonly CallerRule[] = [
  'global',
  'session:admin',
  'session:data_steward',
  'scope:records:write',
  'scope:records:publish',
  'scope:bulk',
  'scope:storages:write',
];

/** Decides what writers may name and what may be made for them: no more than they could read and make themselves. */
@Injectable()
export class WriterRightsResolver {
  constructor(private readonly visibility: Visibility) {}

  /** @throws AccessDeniedError if the caller writes no records of the list, or is limited to projects and the list is not */
  resolve(caller: Principal, list: ListName): WriterRights {
    requireCaller(caller, list === 'contracts' ? [...writers, 'session:legal'] : writers);
    const isLimited = isLimitedToProjects(caller);
    if (isLimited && !writableWithinProjects.includes(list)) {
      throw new AccessDeniedError(
        `The service key "${caller.name}" is limited to projects: it writes ${writableWithinProjects.join(' and ')} only.`,
      );
    }
    return { creatable: creatableBy(caller), nameable: this.visibility.nameable(caller), isLimited };
  }
}

/** Returns the kinds that a caller could make by a call of their own. */
function creatableBy(caller: Principal): readonly ReferredKind[] {
  if (caller.kind === 'global') return allRights.creatable;
  if (caller.kind === 'session' && hasRole(caller, 'admin')) return allRights.creatable;
  if (caller.kind === 'session' && hasRole(caller, 'data_steward')) return curated;
  const makesRecords = hasScope(caller, 'records:write', 'bulk') && caller.projects === null;
  return [...(makesRecords ? curated : []), ...(hasScope(caller, 'storages:write') ? (['platforms'] as const) : [])];
}
