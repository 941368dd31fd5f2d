import type { CallerRule } from '@rdc/auth';

const curators = ['global', 'session:admin', 'session:data_steward'] as const satisfies readonly CallerRule[];

/** The callers that expose and withdraw datasets. */
export const exposureWriters = [...curators, 'scope:records:publish'] as const satisfies readonly CallerRule[];

/** The callers that read exposures, each of the datasets that the caller may read. */
export const exposureReaders = [
  ...curators,
  'session:auditor',
  'scope:records:read',
] as const satisfies readonly CallerRule[];
