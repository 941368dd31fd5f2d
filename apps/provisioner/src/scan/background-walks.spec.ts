import { jest } from '@jest/globals';
import type { SourcePlace } from '../model/source-system.js';
import { BackgroundWalks } from './background-walks.js';

const place = (id: string): SourcePlace => ({ kind: 'dataset', submission: 'SUB-1', id });

describe(BackgroundWalks.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should walk each place once, and at most eight at the same time', async () => {
    let running = 0;
    const most: number[] = [];
    const walks = new BackgroundWalks(async () => {
      running += 1;
      most.push(running);
      await Promise.resolve();
      running -= 1;
    }, 0);
    for (let at = 0; at < 100; at += 1) walks.add(String(at), place(String(at)));
    await walks.settled();
    expect([most.length, Math.max(...most)]).toEqual([100, 8]);
  });

  it('should pause after a walk for ten times its duration', async () => {
    const walks = new BackgroundWalks(() => new Promise((resolve) => setTimeout(resolve, 60_000)), 1_000);
    walks.add('a', place('a'));
    expect(walks.mayWalk('a')).toBe(false);
    await jest.advanceTimersByTimeAsync(60_000);
    await walks.settled();
    await jest.advanceTimersByTimeAsync(590_000);
    expect(walks.mayWalk('a')).toBe(false);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(walks.mayWalk('a')).toBe(true);
  });

  it('should start no waiting walk after it was stopped', async () => {
    const walked: string[] = [];
    const walks = new BackgroundWalks(async ({ id }) => {
      walked.push(id);
      await Promise.resolve();
    }, 0);
    for (let at = 0; at < 20; at += 1) walks.add(String(at), place(String(at)));
    walks.stop();
    await walks.settled();
    expect(walked).toHaveLength(8);
  });
});
