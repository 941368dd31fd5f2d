import type { Benchmark } from './benchmark.ts';
import { idleCallsPerSecond } from './idle-stage.ts';

/** The files of a full run, all imported. */
const fullSize = 1_000_000;

/** The most calls per second of a system without requests. */
const limit = 100;

const benchmarks: readonly Benchmark[] = [
  {
    name: 'idle: 1,000,000 imported files',
    unit: 'calls/s',
    compares: 'file-system calls of two services and a worker without a request (strace -c -f), ours / 100',
    goal: 1,
    atMost: true,
    measure: async ({ quick }) => {
      const ours = await idleCallsPerSecond(quick ? fullSize / 10 : fullSize, quick ? 40 : 60);
      return { ours, baseline: limit, ratios: [ours / limit] };
    },
  },
];

export default benchmarks;
