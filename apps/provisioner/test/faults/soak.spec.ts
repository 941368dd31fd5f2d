import { jest } from '@jest/globals';
import { hasRedis } from '../support/redis.js';
import { buildProcesses } from '../support/service-process.js';
import { randomOf } from './support/random.js';
import { Soak } from './support/soak.js';

/** For how long faults are made; without it this suite does not run. */
const minutes = Number(process.env['SOAK_MINUTES']);

/** Set `FAULT_SEED` to what a failed run has printed. */
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** What a worker may have more of at the end than after its first imports. */
const moreDescriptors = 16;
const moreThreads = 4;

const mostBytes = 256 << 20;

jest.setTimeout(minutes * 60_000 + 400_000);

describe('minutes of faults at random', () => {
  (hasRedis ? it : it.skip)(`should cost nothing that was accepted (seed ${String(seed)})`, async () => {
    await buildProcesses();
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
      const made = Object.fromEntries(soak.made);
      process.stderr.write(`${JSON.stringify({ seed, datasets: soak.datasets.length, made, before, after })}\n`);
      await soak.check();
      expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + moreDescriptors);
      expect(after.threads).toBeLessThanOrEqual(before.threads + moreThreads);
      expect(after.peakBytes).toBeLessThan(mostBytes);
    } finally {
      await soak.stop();
    }
  });
});
