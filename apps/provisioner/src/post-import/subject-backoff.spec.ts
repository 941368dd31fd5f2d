import { jest } from '@jest/globals';
import { SubjectBackoff } from './subject-backoff.js';

describe(SubjectBackoff.name, () => {
  let warnings: string[];
  let round: SubjectBackoff;
  let nextMs: number;

  beforeEach(() => {
    jest.useFakeTimers();
    warnings = [];
    round = new SubjectBackoff({ warn: (text: string) => warnings.push(text) });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** One round in which the work fails for some. @returns for whom it was tried */
  async function tried(subjects: readonly string[], failing: readonly string[]): Promise<string[]> {
    const seen: string[] = [];
    const work = (subject: string): Promise<void> => {
      seen.push(subject);
      return failing.includes(subject) ? Promise.reject(new Error('no')) : Promise.resolve();
    };
    nextMs = await round.run(subjects, work).catch((error: unknown) => seen.push(String(error)));
    return seen;
  }

  it('should go on after one for which it fails, and try that again after growing pauses', async () => {
    expect(await tried(['a', 'b', 'c'], ['a'])).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual(['a is tried again later: Error: no']);
    expect(nextMs).toBe(1_000);
    expect(await tried(['a', 'd'], ['a'])).toEqual(['d']);
    jest.advanceTimersByTime(1_000);
    expect(await tried(['a', 'e'], ['a'])).toEqual(['e', 'a']);
    expect(nextMs).toBe(2_000);
    jest.advanceTimersByTime(1_000);
    expect(await tried(['a'], ['a'])).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(await tried(['a'], [])).toEqual(['a']);
    expect(nextMs).toBe(Infinity);
  });

  it('should end after some failures in a row, and begin with the others the next time', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    expect(await tried(all, all)).toEqual(['a', 'b', 'c', 'Error: no']);
    jest.advanceTimersByTime(1_000);
    expect(await tried(all, ['a', 'b', 'c'])).toEqual(['d', 'e', 'a', 'b', 'c']);
  });
});
