/**
 * The next step of the caller, which holds the job. After `release`, the caller accepts no more jobs while its worker
 * does not see the source.
 */
export type NextStep = { readonly step: 'done' } | { readonly step: 'retry' | 'release'; readonly afterMs: number };

export const done: NextStep = { step: 'done' };
