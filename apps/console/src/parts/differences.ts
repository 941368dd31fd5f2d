/** A difference between two documents. */
export interface Difference {
  /** The path of the differing value, e.g. `['data_declarations', 0, 'title']`. */
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the differences between two documents, in the order of their members. Null equals an absent member. */
export function differencesOf(before: unknown, after: unknown, path: Difference['path'] = []): Difference[] {
  if (before === after || isNothing(before, after)) return [];
  if (isWalkable(before) && isWalkable(after) && Array.isArray(before) === Array.isArray(after)) {
    const steps = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const step = (name: string): string | number => (Array.isArray(before) ? Number(name) : name);
    return steps.flatMap((name) => differencesOf(before[name], after[name], [...path, step(name)]));
  }
  return [{ path, before, after }];
}

function isWalkable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNothing(one: unknown, other: unknown): boolean {
  return (one ?? null) === null && (other ?? null) === null;
}
