/** Numbers of violations by folder. */
export type Counts = Readonly<Record<string, number>>;

/** Returns the folder under which a violation counts: two parts of the path, four below the sources of an application. */
export function folderOf(file: string): string {
  const parts = file.split('/').slice(0, -1);
  const depth = parts[0] === 'apps' && parts[2] === 'src' ? 4 : parts[0] === 'apps' ? 3 : 2;
  return parts.slice(0, depth).join('/') || '.';
}

/** Counts violations by folder. */
export function countsOf(files: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const folder of files.map(folderOf).sort()) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Returns the folders that have more violations than the baseline allows. */
export function tooMany(baseline: Counts, counts: Counts): string[] {
  return Object.keys(counts).filter((folder) => (counts[folder] ?? 0) > (baseline[folder] ?? 0));
}

/** Returns the baseline with each count that has fallen. No count rises, and folders without violations are removed. */
export function lowered(baseline: Counts, counts: Counts): Counts {
  return Object.fromEntries(
    Object.entries(baseline).flatMap(([folder, allowed]) => {
      const count = Math.min(allowed, counts[folder] ?? 0);
      return count === 0 ? [] : [[folder, count]];
    }),
  );
}
