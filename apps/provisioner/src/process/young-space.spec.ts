import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { growYoungSpace, withYoungSpace } from './young-space.js';

const run = promisify(execFile);

/** Sizes of the young generation in bytes: at the start of the work, after V8 shrank it, and after it grew again. */
async function sizesWhileWorking(): Promise<readonly number[]> {
  const module = new URL('./young-space.ts', import.meta.url).href;
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { setTimeout } from 'node:timers/promises';
    import { withYoungSpace } from '${module}';
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    const sizes = [];
    await withYoungSpace(async () => {
      sizes.push(size());
      gc({ type: 'major', flavor: 'last-resort' });
      sizes.push(size());
      while (size() < sizes[0]) await setTimeout(10);
      sizes.push(size());
    });
    process.stdout.write(JSON.stringify(sizes));`;
  const { stdout } = await run(process.execPath, ['--expose-gc', '--input-type=module', '-e', script]);
  return JSON.parse(stdout) as readonly number[];
}

describe(growYoungSpace.name, () => {
  it('should bring the space back to its bound while something works, and not above it', async () => {
    const [begun = 0, shrunk = 0, again] = await sizesWhileWorking();
    expect(begun).toBe(16 * 1024 * 1024);
    expect(shrunk).toBeLessThan(begun / 4);
    expect(again).toBe(begun);
  });
});

describe(withYoungSpace.name, () => {
  it('should hand on what the work answers, and what it throws', async () => {
    await expect(withYoungSpace(() => Promise.resolve('done'))).resolves.toBe('done');
    await expect(withYoungSpace(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  });
});
