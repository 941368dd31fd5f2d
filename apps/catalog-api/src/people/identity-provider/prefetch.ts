/** Requests the next page while the caller processes the current page. */
export async function* prefetch<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pages[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (let page = await next; !page.done; page = await next) {
      next = iterator.next();
      next.catch(() => undefined); // the loop awaits the page later and then throws the error
      yield page.value;
    }
  } finally {
    await iterator.return?.();
  }
}
