/** The values of the setting `SYMLINKS`. */
export const symlinkPolicies = ['refuse', 'skip', 'keep'] as const;

/** Treatment of symbolic links in a delivery: the dataset is rejected, or the links are skipped or kept. */
export type SymlinkPolicy = (typeof symlinkPolicies)[number];

/** The values of the settings `HARD_LINKS` and `NAMES`. */
export const entryPolicies = ['refuse', 'warn', 'accept'] as const;

/** Treatment of an unwanted entry: the dataset is rejected, or the entry is reported, or the entry is accepted. */
export type EntryPolicy = (typeof entryPolicies)[number];

/** The values of the setting `REQUIRE_CHECKSUMS`. */
export const checksumPolicies = ['refuse', 'warn', 'off'] as const;

/** Treatment of a dataset without declared checksums: it is rejected, or reported, or imported without a report. */
export type ChecksumPolicy = (typeof checksumPolicies)[number];
