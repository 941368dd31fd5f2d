/** The numbers of the catalog's advisory locks, by the work that only one process may do at a time. */
export const advisoryLocks = {
  migrate: 5_216_401,
  rebuildDocuments: 5_216_402,
  writeRecords: 5_216_403,
  synchroniseAccounts: 5_216_404,
} as const;
