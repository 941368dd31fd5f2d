/** Asks for the next page while one is being dealt with, so that fetching and storing take their time together. */
export async function* prefetch<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pages[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (let page = await coming; !page.done; page = await coming) {
      coming = iterator.next();
      coming.catch(() => undefined); // it is awaited later; until then nobody minds
      yield page.value;
    }
  } finally {
    await iterator.return?.();
  }
}
