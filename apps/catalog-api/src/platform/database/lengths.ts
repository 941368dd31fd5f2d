/**
 * The maximum number of characters of a name: of a dataset, cohort, partner, platform, person or data declaration. Indexes
 * contain hashes or first characters of names, because an entry of a B-tree has at most 2,704 bytes.
 */
export const maxNameLength = 10_000;
