import type { Records } from '../model/records.js';
import { CopyingWorkers } from './copying-workers.js';

describe(CopyingWorkers.name, () => {
  let stored: Map<string, string>;
  let now: number;

  beforeEach(() => {
    stored = new Map();
    now = 0;
  });

  const records = {
    names: (folder: string) => Promise.resolve([...stored.keys()].map((path) => path.slice(folder.length + 1))),
    readAll: (paths: readonly string[]) => Promise.resolve(paths.map((path) => stored.get(path) ?? null)),
    replace: (path: string, text: string) => Promise.resolve(void stored.set(path, text)),
    remove: (path: string) => Promise.resolve(void stored.delete(path)),
  } as unknown as Records;

  const aWorker = (): CopyingWorkers => new CopyingWorkers(records, () => now);

  it('should count the workers that copy', async () => {
    const [first, second, idle] = [aWorker(), aWorker(), aWorker()];
    expect(await first.count(true)).toBe(1);
    expect(await second.count(true)).toBe(2);
    expect(await idle.count(false)).toBe(2);
    expect(await second.count(false)).toBe(1);
    expect(await first.count(true)).toBe(1);
  });

  it('should count a killed worker for some seconds only, and remove its record later', async () => {
    const [first, killed] = [aWorker(), aWorker()];
    await killed.count(true);
    expect(await first.count(true)).toBe(2);
    now += 9_000;
    expect(await first.count(true)).toBe(2);
    now += 2_000;
    expect(await first.count(true)).toBe(1);
    now += 600_000;
    await first.count(true);
    expect(stored.size).toBe(1);
  });
});
