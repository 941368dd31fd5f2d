/**
 * Waits for a promise for a limited time.
 *
 * @throws Error if the promise does not settle in time
 * @throws the error of the promise if it rejects in time
 */
export async function withTimeout<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(milliseconds)} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}
