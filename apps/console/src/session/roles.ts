import type { Session } from './session.ts';
import { useSessionState } from './session.ts';

type Role = Session['roles'][number];

/** What a page may offer, and the roles to whom the services would grant it. They decide; this only hides what they refuse. */
const holders = {
  /** Projects, datasets, partners, cohorts: edit, publish, expose. */
  'catalog.write': ['admin', 'data_steward'],
  /** To which endpoints a dataset is exposed. */
  'exposures.read': ['admin', 'data_steward', 'auditor'],
  'contracts.write': ['admin', 'data_steward', 'legal'],
  /** What there is in all, in numbers. */
  'catalog.count': ['admin', 'data_steward', 'auditor'],
  /** What was done to records, by whom. */
  'audit.read': ['admin', 'data_steward', 'auditor'],
  /** Users, endpoints, accesses, entitlements, the audit trail. */
  administrate: ['admin'],
  /** Deliveries, what storage holds of them, imports, the schedule. */
  'imports.read': ['admin', 'data_steward', 'auditor'],
  /** Import, cancel, verify, schedule. */
  'imports.write': ['admin', 'data_steward'],
} as const satisfies Record<string, readonly Role[]>;

/** Something that not everybody may do. */
export type Right = keyof typeof holders;

/** Whether the person who is signed in may do something. */
export function useMay(): (right: Right) => boolean {
  const state = useSessionState();
  const roles: readonly Role[] = state.status === 'signed-in' ? state.session.roles : [];
  return (right) => holders[right].some((role) => roles.includes(role));
}
