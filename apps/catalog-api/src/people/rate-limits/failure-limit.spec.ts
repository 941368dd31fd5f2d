import { jest } from '@jest/globals';
import type { FailureCountsRepository } from './failure-counts.repository.js';
import { FailureLimit } from './failure-limit.js';

describe(FailureLimit.name, () => {
  afterEach(() => jest.restoreAllMocks());

  it('should refuse subjects above the memory limit, and free memory when refusals end', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    let asked = 0;
    const counts: Partial<FailureCountsRepository> = {
      add: () => {
        asked += 1;
        return Promise.resolve({ count: 2, secondsLeft: 60 });
      },
      removeEnded: () => Promise.resolve(),
    };
    const rule = { sort: 'test', failures: 'wrong keys', limit: 1, windowSeconds: 60 };
    const limit = new FailureLimit(rule, counts as FailureCountsRepository);
    /** Whether the repository was queried for the subject. */
    const isQueried = async (subject: number): Promise<boolean> => {
      const before = asked;
      await expect(limit.recordFailure(String(subject))).rejects.toThrow('wrong keys');
      return asked > before;
    };
    for (let subject = 0; subject <= 10_000; subject += 1)
      await limit.recordFailure(String(subject)).catch(() => undefined);
    expect(asked).toBe(10_001);
    expect([await isQueried(0), await isQueried(9_999), await isQueried(10_000)]).toEqual([false, false, true]);
    clock.mockReturnValue(1_061_000);
    expect([await isQueried(10_001), await isQueried(10_001), await isQueried(0)]).toEqual([true, false, true]);
  });
});
