/**
 * Calls a function for each item, with up to `concurrency` calls at the same time. After a failure no further call
 * starts. The promise settles only when the calls in progress have ended and the iteration is closed.
 *
 * @param onFailure is called at each failure, for example to abort the calls in progress
 * @throws the first failure
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  call: (item: T) => Promise<void>,
  onFailure: () => void = () => undefined,
): Promise<void> {
  const remaining = iteratorOf(items);
  const failures: unknown[] = [];
  const runNext = async (): Promise<void> => {
    try {
      for (let next = await remaining.next(); !next.done && failures.length === 0; next = await remaining.next())
        await call(next.value);
    } catch (error) {
      failures.push(error);
      onFailure();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
  if (failures.length === 0) return;
  await Promise.resolve(remaining.return?.()).catch(() => undefined);
  throw failures[0];
}

/** Like {@link forEachConcurrently}, and returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  call: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  await forEachConcurrently(items.entries(), concurrency, async ([at, item]) => {
    results[at] = await call(item);
  });
  return results;
}

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
