/** The bounds of the retries of one request. */
export interface RetryPolicy {
  /** The maximum number of attempts, including the first. */
  readonly attempts: number;
  /** The maximum number of seconds between two attempts. A longer `Retry-After` ends the retries. */
  readonly longestWait: number;
  /** The seconds before the second attempt, if the response has no `Retry-After`. Later waits double. */
  readonly firstWait: number;
}

export const defaultPolicy: RetryPolicy = { attempts: 5, longestWait: 60, firstWait: 0.5 };

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

/** The posts that can be repeated: a repeated request for an import returns the import. */
const repeatablePosts = /\/(datasets|submissions)\/srcsys\/import$/;

const unavailable = [502, 503, 504];

/** Waits. @throws the reason of the signal when the signal is aborted */
export type Pause = (seconds: number, signal: AbortSignal) => Promise<void>;

/**
 * Returns a `fetch` that repeats requests: after `Retry-After`, and after broken connections if this is safe. Each wait
 * has a random extra of up to a half, so that many clients do not return at the same time. A response is read before it
 * is returned, so that a connection that breaks during the response counts as broken.
 */
export function retrying(
  send: (request: Request) => Promise<Response>,
  policy: RetryPolicy,
  wait: Pause = pause,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 1; attempt < policy.attempts; attempt++) {
      let seconds = policy.firstWait * 2 ** (attempt - 1);
      try {
        const response = await read(await send(request.clone()));
        const stated = secondsOf(response.headers.get('Retry-After'));
        if (!isRepeatable(request, response, stated)) return response;
        seconds = stated ?? seconds;
        if (seconds > policy.longestWait) return response;
      } catch (error) {
        if (request.signal.aborted || !isIdempotent(request)) throw error;
      }
      await wait(Math.min(seconds, policy.longestWait) * (1 + Math.random() / 2), request.signal);
    }
    return read(await send(request));
  };
}

/** Returns the seconds that a header `Retry-After` states, as a number or as a date; undefined without a valid header. */
export function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const instant = Date.parse(retryAfter);
  return Number.isNaN(instant) ? undefined : Math.max(0, (instant - Date.now()) / 1000);
}

/** Waits, or rejects with the reason of the signal when it is aborted. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Returns a response whose body has arrived. An event stream is not read, because it ends with its import. */
async function read(response: Response): Promise<Response> {
  const type = response.headers.get('Content-Type') ?? '';
  if (response.body === null || type.startsWith('text/event-stream')) return response;
  const body = await response.arrayBuffer();
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
}

function isRepeatable(request: Request, response: Response, stated: number | undefined): boolean {
  if (response.status < 400) return false;
  return stated !== undefined || (unavailable.includes(response.status) && isIdempotent(request));
}

function isIdempotent({ method, url }: Request): boolean {
  return idempotent.includes(method) || repeatablePosts.test(new URL(url).pathname);
}
