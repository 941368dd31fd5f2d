import { jest } from '@jest/globals';
import { SubjectBackoff } from './subject-backoff.js';

describe(SubjectBackoff.name, () => {
  let warnings: string[];
  let backoff: SubjectBackoff;
  let nextMs: number;

  beforeEach(() => {
    jest.useFakeTimers();
    warnings = [];
    backoff = new SubjectBackoff({ warn: (text: string) => warnings.push(text) });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Runs work that fails for some subjects. @returns the subjects that were tried, and the error if there was one */
  async function run(subjects: readonly string[], failing: readonly string[]): Promise<string[]> {
    const tried: string[] = [];
    const work = (subject: string): Promise<void> => {
      tried.push(subject);
      return failing.includes(subject) ? Promise.reject(new Error('no')) : Promise.resolve();
    };
    nextMs = await backoff.run(subjects, work).catch((error: unknown) => tried.push(String(error)));
    return tried;
  }

  it('should continue with the other subjects when the work fails for a subject', async () => {
    expect(await run(['a', 'b', 'c'], ['a'])).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual(['task failed: subject=a: Error: no (retrying later)']);
    expect(nextMs).toBe(1_000);
  });

  it('should retry a failed subject after the others and after growing pauses', async () => {
    await run(['a', 'b'], ['a']);
    expect(await run(['a', 'd'], ['a'])).toEqual(['d']);
    jest.advanceTimersByTime(1_000);
    expect(await run(['a', 'e'], ['a'])).toEqual(['e', 'a']);
    expect(nextMs).toBe(2_000);
    jest.advanceTimersByTime(1_000);
    expect(await run(['a'], ['a'])).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(await run(['a'], [])).toEqual(['a']);
    expect(nextMs).toBe(Infinity);
  });

  it('should stop after three consecutive failures and start with the other subjects in the next run', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    expect(await run(all, all)).toEqual(['a', 'b', 'c', 'Error: no']);
    jest.advanceTimersByTime(1_000);
    expect(await run(all, ['a', 'b', 'c'])).toEqual(['d', 'e', 'a', 'b', 'c']);
  });
});
