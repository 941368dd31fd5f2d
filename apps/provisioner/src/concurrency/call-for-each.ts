/**
 * Calls for each item, so many at once. When one call fails no other is begun, and those under way are waited for:
 * nothing goes on once the failure is told.
 *
 * @throws the first failure
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  call: (item: T) => Promise<void>,
): Promise<void> {
  const rest = iteratorOf(items);
  const failures: unknown[] = [];
  const take = async (): Promise<void> => {
    try {
      for (let next = await rest.next(); !next.done && failures.length === 0; next = await rest.next())
        await call(next.value);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  if (failures.length > 0) throw failures[0];
}

/** The same, and what each call has answered, in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  call: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  await forEachConcurrently(items.entries(), atOnce, async ([at, item]) => {
    answers[at] = await call(item);
  });
  return answers;
}

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
