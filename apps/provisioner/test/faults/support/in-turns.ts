/** Runs a call for each key, at most `atOnce` at a time. @returns the promise of each key */
export function inTurns<K, V>(keys: readonly K[], atOnce: number, call: (key: K) => Promise<V>): Map<K, Promise<V>> {
  const running: Promise<unknown>[] = [];
  return new Map(
    keys.map((key, index) => {
      const before = index < atOnce ? Promise.resolve() : running[index - atOnce];
      const result = Promise.resolve(before).then(() => call(key));
      running.push(result.catch(() => undefined));
      return [key, result];
    }),
  );
}
