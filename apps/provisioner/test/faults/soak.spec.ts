import { jest } from '@jest/globals';
import { hasRedis } from '../support/redis.js';
import { buildServices } from '../../../../test/support/service-process.ts';
import { randomOf } from '../support/random.js';
import { Soak } from './support/soak.js';

/** The duration of the faults in minutes. If unset, this suite does not run. */
const minutes = Number(process.env['SOAK_MINUTES']);

/** The seed of the faults. To repeat a failed run, set `FAULT_SEED` to the printed seed. */
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** The allowed growth of a worker's resources between its first imports and the end. */
const moreDescriptors = 16;
const moreThreads = 4;

const mostBytes = 256 << 20;

jest.setTimeout(minutes * 60_000 + 400_000);

describe('a system under random faults', () => {
  (hasRedis ? it : it.skip)(`should cost nothing that was accepted (seed ${String(seed)})`, async () => {
    await buildServices();
    const soak = await Soak.begin(randomOf(seed));
    try {
      await soak.deliver();
      await soak.settle();
      const before = await soak.taken();
      const end = Date.now() + minutes * 60_000;
      do await soak.round();
      while (Date.now() < end);
      await soak.settle();
      const after = await soak.taken();
      const injected = Object.fromEntries(soak.injected);
      process.stderr.write(`${JSON.stringify({ seed, datasets: soak.datasets.length, injected, before, after })}\n`);
      await soak.check();
      expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + moreDescriptors);
      expect(after.threads).toBeLessThanOrEqual(before.threads + moreThreads);
      expect(after.peakBytes).toBeLessThan(mostBytes);
    } finally {
      await soak.stop();
    }
  });
});
