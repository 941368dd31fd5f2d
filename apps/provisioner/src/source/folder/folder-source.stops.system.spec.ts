import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderSource } from './folder-source.js';

/** The longest processor time in milliseconds for which a list may block the event loop. */
const maxStopMs = 30;

describe(FolderSource.name, () => {
  const root = mkdtempSync(join(tmpdir(), 'folder-source-'));

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  it('should not block the event loop when it lists 10,000 submissions', async () => {
    for (let at = 0; at < 10_000; at += 1)
      mkdirSync(join(root, `SUB-${String(at)}`, `DS-${String(at)}`), { recursive: true });
    const source = new FolderSource(root, 'READY');
    const stops: number[] = [];
    for (let run = 0; run < 4; run += 1) stops.push(await longestStopOf(() => source.list()));
    expect(await source.list()).toHaveLength(10_000);
    expect(Math.min(...stops)).toBeLessThan(maxStopMs);
  }, 120_000);
});

/** Returns the longest processor time of this thread between two turns of its event loop, in milliseconds. */
async function longestStopOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const measure = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(measure, 1);
  await work();
  measure();
  clearInterval(timer);
  return longest;
}
