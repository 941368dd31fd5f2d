/** The advisory locks of the catalog, by what one process at a time does: Postgres tells them apart by number only. */
export const advisoryLocks = {
  migrate: 5_216_401,
  rebuildDocuments: 5_216_402,
  writeRecords: 5_216_403,
  synchroniseAccounts: 5_216_404,
} as const;
