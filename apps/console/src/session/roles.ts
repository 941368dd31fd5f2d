import type { Session } from './session.ts';
import { useSessionState } from './session.ts';

type Role = Session['roles'][number];

/** The roles that hold each right. The console only hides refused actions; the services enforce the rights. */
const holders = {
  /** Edit, publish and expose projects, datasets, partners and cohorts. */
  'catalog.write': ['admin', 'data_steward'],
  /** Read the endpoints to which a dataset is exposed. */
  'exposures.read': ['admin', 'data_steward', 'auditor'],
  'contracts.write': ['admin', 'data_steward', 'legal'],
  /** Read the catalog's numbers. */
  'catalog.count': ['admin', 'data_steward', 'auditor'],
  /** Read the history of records. */
  'audit.read': ['admin', 'data_steward', 'auditor'],
  /** Read the whole audit trail. */
  'audit.readAll': ['admin', 'auditor'],
  /** Manage users, endpoints, accesses and entitlements. */
  administrate: ['admin'],
  /** Read deliveries, storage contents, imports and the schedule. */
  'imports.read': ['admin', 'data_steward', 'auditor'],
  /** Import, cancel, verify and schedule. */
  'imports.write': ['admin', 'data_steward'],
} as const satisfies Record<string, readonly Role[]>;

/** An action that only some roles may perform. */
export type Right = keyof typeof holders;

/** Returns a function that states whether the signed-in user has a right. */
export function useMay(): (right: Right) => boolean {
  const state = useSessionState();
  const roles: readonly Role[] = state.status === 'signed-in' ? state.session.roles : [];
  return (right) => holders[right].some((role) => roles.includes(role));
}
