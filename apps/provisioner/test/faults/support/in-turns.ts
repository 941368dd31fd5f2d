/** Starts so many calls at once; each key's promise can be awaited by itself. */
export function inTurns<K, V>(keys: readonly K[], atOnce: number, call: (key: K) => Promise<V>): Map<K, Promise<V>> {
  const running: Promise<unknown>[] = [];
  return new Map(
    keys.map((key, at) => {
      const before = at < atOnce ? Promise.resolve() : running[at - atOnce];
      const result = Promise.resolve(before).then(() => call(key));
      running.push(result.catch(() => undefined));
      return [key, result];
    }),
  );
}
