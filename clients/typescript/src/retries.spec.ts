import { defaultPolicy, pause, retrying, secondsOf, type RetryPolicy } from './retries.js';

type Answer = Response | Error;

/** Sends one request through the retries. @returns the outcome, the number of attempts and the waits */
async function sent(
  request: { method: string; path?: string },
  answers: Answer[],
  policy: Partial<RetryPolicy> = {},
): Promise<{ outcome: number | string; attempts: number; waits: number[] }> {
  const waits: number[] = [];
  let attempts = 0;
  const send = retrying(
    () => {
      const answer = answers[attempts++] ?? new Error('no answer');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    { ...defaultPolicy, ...policy },
    (seconds) => {
      waits.push(seconds);
      return Promise.resolve();
    },
  );
  const address = `http://service${request.path ?? '/'}`;
  const outcome = await send(new Request(address, { method: request.method })).then(
    ({ status }) => status,
    (error: unknown) => String(error),
  );
  return { outcome, attempts, waits };
}

const busy = (retryAfter?: string, status = 503): Response =>
  new Response('{}', { status, ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }) });
const ok = (): Response => new Response('{}');
const broken = new TypeError('terminated');

describe(retrying, () => {
  it.each([409, 429, 503, 507])('should wait as Retry-After states when a post gets it with %i', async (status) => {
    const { outcome, waits } = await sent({ method: 'POST' }, [busy('3', status), ok()]);
    expect([outcome, waits.length]).toEqual([200, 1]);
    expect(waits[0]).toBeGreaterThanOrEqual(3);
    expect(waits[0]).toBeLessThanOrEqual(4.5);
  });

  it('should wait longer each time when a read gets 503 without Retry-After', async () => {
    const { outcome, waits } = await sent({ method: 'GET' }, [busy(), busy(), busy(), ok()]);
    expect(outcome).toBe(200);
    expect(waits.map((wait, index) => wait >= 0.5 * 2 ** index && wait <= 0.75 * 2 ** index)).toEqual([
      ...[true, true, true],
    ]);
  });

  it('should return the last response when all attempts are used', async () => {
    const { outcome, attempts } = await sent({ method: 'GET' }, [busy('1'), busy('1'), busy('1')], { attempts: 3 });
    expect([outcome, attempts]).toEqual([503, 3]);
  });

  it('should not wait when Retry-After exceeds the longest wait', async () => {
    expect(await sent({ method: 'GET' }, [busy('61')])).toEqual({ outcome: 503, attempts: 1, waits: [] });
  });

  it.each([400, 403, 404, 409, 412, 500])(
    'should not repeat a read when it gets %i without Retry-After',
    async (status) => {
      expect(await sent({ method: 'GET' }, [busy(undefined, status)])).toMatchObject({ outcome: status, attempts: 1 });
    },
  );

  it.each(['/datasets/srcsys/import', '/base/submissions/srcsys/import'])(
    'should repeat a post to %s when the connection breaks',
    async (path) => {
      expect(await sent({ method: 'POST', path }, [broken, ok()])).toMatchObject({ outcome: 200, attempts: 2 });
    },
  );

  it('should not repeat another post when the connection breaks', async () => {
    const { outcome, attempts } = await sent({ method: 'POST', path: '/api/datasets' }, [broken, ok()]);
    expect([outcome, attempts]).toEqual(['TypeError: terminated', 1]);
  });

  it('should repeat a read when the connection breaks during the response', async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.error(broken);
      },
    });
    expect(await sent({ method: 'GET' }, [new Response(body), ok()])).toMatchObject({ outcome: 200, attempts: 2 });
  });

  it('should not repeat a request when its signal is aborted', async () => {
    let attempts = 0;
    const send = retrying(() => {
      attempts++;
      return Promise.reject(broken);
    }, defaultPolicy);
    await expect(send(new Request('http://service/', { signal: AbortSignal.abort() }))).rejects.toThrow();
    expect(attempts).toBe(1);
  });
});

describe(pause, () => {
  it('should end with the reason when the signal is aborted', async () => {
    const controller = new AbortController();
    const waiting = pause(3600, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe(secondsOf, () => {
  it('should read the header as seconds or as a date', () => {
    const inAMinute = secondsOf(new Date(Date.now() + 60_000).toUTCString());
    expect(inAMinute).toBeGreaterThan(50);
    expect(inAMinute).toBeLessThanOrEqual(60);
    expect(['7', 'Wed, 21 Oct 2015 07:28:00 GMT', 'soon', null].map(secondsOf)).toEqual([7, 0, undefined, undefined]);
  });
});
