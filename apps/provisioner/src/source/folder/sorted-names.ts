/** Names that are sorted or merged in one turn of the event loop: some milliseconds. */
const namesPerTurn = 8_192;

/** Returns the names in the order of their code units. Yields null where the event loop may turn. */
export function* sortedNames(names: readonly string[]): Generator<null, readonly string[]> {
  if (names.length <= namesPerTurn) return names.toSorted();
  const middle = names.length >>> 1;
  const left = yield* sortedNames(names.slice(0, middle));
  const right = yield* sortedNames(names.slice(middle));
  return yield* merged(left, right);
}

/** Merges two sorted lists. Yields null where the event loop may turn. */
function* merged(left: readonly string[], right: readonly string[]): Generator<null, readonly string[]> {
  const all: string[] = [];
  let next = 0;
  for (const name of left) {
    for (let other = right[next]; other !== undefined && other < name; other = right[next]) {
      all.push(other);
      next += 1;
    }
    all.push(name);
    if (all.length % namesPerTurn === 0) yield null;
  }
  return [...all, ...right.slice(next)];
}
