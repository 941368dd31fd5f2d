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

  /** How each of so many wrong keys is borne: null, or the seconds after which to come back. */
  const wrongKeys = async (limit: ProcessWrongKeyLimit, address: string, times: number): Promise<unknown[]> => {
    const borne = async (): Promise<number | null | undefined> => {
      try {
        await limit.note(address);
        return null;
      } catch (error) {
        return error instanceof RateLimitedError ? error.retryAfterSeconds : Number.NaN;
      }
    };
    const outcomes: unknown[] = [];
    for (let time = 0; time < times; time++) outcomes.push(await borne());
    return outcomes;
  };

  it('should bear so many wrong keys from one network in a minute, and then begin anew', async () => {
    const limit = new ProcessWrongKeyLimit(2);
    expect(await wrongKeys(limit, '192.0.2.1', 3)).toEqual([null, null, 60]);
    clock.mockReturnValue(45_000);
    expect(await wrongKeys(limit, '::ffff:192.0.2.1', 1)).toEqual([15]);
    expect(await wrongKeys(limit, '192.0.2.2', 1)).toEqual([null]);
    clock.mockReturnValue(60_000);
    expect(await wrongKeys(limit, '192.0.2.1', 3)).toEqual([null, null, 60]);
  });

  it('should count the addresses that one machine may choose from as one', async () => {
    const limit = new ProcessWrongKeyLimit(1);
    expect(await wrongKeys(limit, '2001:db8:0:1::1', 1)).toEqual([null]);
    expect(await wrongKeys(limit, '2001:db8:0:1::2', 1)).toEqual([60]);
    expect(await wrongKeys(limit, '2001:db8:0:2::1', 1)).toEqual([null]);
  });

  it('should forget the oldest when there are too many networks to count', async () => {
    const limit = new ProcessWrongKeyLimit(1);
    for (let at = 0; at < 10_000; at++) {
      await limit.note(`10.0.${String(Math.floor(at / 250))}.${String(at % 250)}`);
    }
    expect(await wrongKeys(limit, '192.0.2.1', 2)).toEqual([null, 60]);
    expect(await wrongKeys(limit, '10.0.39.249', 1)).toEqual([60]);
    expect(await wrongKeys(limit, '10.0.0.0', 1)).toEqual([null]);
  });

  it('should bear any number at 0', async () => {
    expect(new Set(await wrongKeys(new ProcessWrongKeyLimit(0), '192.0.2.1', 1000))).toEqual(new Set([null]));
  });
});
