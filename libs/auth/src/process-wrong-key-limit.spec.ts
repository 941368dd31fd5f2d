import { jest } from '@jest/globals';
import { RateLimitedError } from '@rdc/errors';
import { ProcessWrongKeyLimit } from './process-wrong-key-limit.js';

describe(ProcessWrongKeyLimit.name, () => {
  let clock: jest.SpiedFunction<typeof Date.now>;

  beforeEach(() => {
    clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  });

  afterEach(() => {
    clock.mockRestore();
  });

  /** Sends wrong keys and returns for each the seconds to wait, or null if the key was counted without an error. */
  const wrongKeys = async (limit: ProcessWrongKeyLimit, address: string, times: number): Promise<unknown[]> => {
    const note = async (): Promise<number | null | undefined> => {
      try {
        await limit.recordFailure(address);
        return null;
      } catch (error) {
        return error instanceof RateLimitedError ? error.retryAfterSeconds : Number.NaN;
      }
    };
    const outcomes: unknown[] = [];
    for (let time = 0; time < times; time++) outcomes.push(await note());
    return outcomes;
  };

  it('should accept the maximum number of wrong keys again when a minute has passed', async () => {
    const limit = new ProcessWrongKeyLimit(2);
    expect(await wrongKeys(limit, '192.0.2.1', 3)).toEqual([null, null, 60]);
    clock.mockReturnValue(45_000);
    expect(await wrongKeys(limit, '::ffff:192.0.2.1', 1)).toEqual([15]);
    expect(await wrongKeys(limit, '192.0.2.2', 1)).toEqual([null]);
    clock.mockReturnValue(60_000);
    expect(await wrongKeys(limit, '192.0.2.1', 3)).toEqual([null, null, 60]);
  });

  it('should count addresses together when they are in one /64 block', async () => {
    const limit = new ProcessWrongKeyLimit(1);
    expect(await wrongKeys(limit, '2001:db8:0:1::1', 1)).toEqual([null]);
    expect(await wrongKeys(limit, '2001:db8:0:1::2', 1)).toEqual([60]);
    expect(await wrongKeys(limit, '2001:db8:0:2::1', 1)).toEqual([null]);
  });

  it('should drop the oldest count when there are too many networks', async () => {
    const limit = new ProcessWrongKeyLimit(1);
    for (let at = 0; at < 10_000; at++) {
      await limit.recordFailure(`10.0.${String(Math.floor(at / 250))}.${String(at % 250)}`);
    }
    expect(await wrongKeys(limit, '192.0.2.1', 2)).toEqual([null, 60]);
    expect(await wrongKeys(limit, '10.0.39.249', 1)).toEqual([60]);
    expect(await wrongKeys(limit, '10.0.0.0', 1)).toEqual([null]);
  });

  it('should accept any number of wrong keys when the limit is 0', async () => {
    expect(new Set(await wrongKeys(new ProcessWrongKeyLimit(0), '192.0.2.1', 1000))).toEqual(new Set([null]));
  });
});
