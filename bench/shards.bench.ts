import type { Benchmark, BenchmarkOptions, Measured } from './benchmark.ts';
import { layDataset } from './copy-stage.ts';
import { printPoint, ShardStage } from './shards-stage.ts';

const mebibyte = 1024 * 1024;
const workerCounts = [1, 2, 4];

/** A dataset of equal files, and the shards into which it is cut. */
interface Shape {
  readonly files: number;
  readonly bytes: number;
  readonly shards: Readonly<Record<string, string>>;
}

/** Measures one dataset with 1, 2 and 4 workers. The baseline is the linear growth of one worker. */
async function scaling({ files, bytes, shards }: Shape): Promise<Measured> {
  const stage = await ShardStage.create();
  try {
    await layDataset(stage.source, 'DS-1', files, bytes);
    const rates: number[] = [];
    for (const workers of workerCounts) {
      const point = await stage.import(workers, shards);
      printPoint(workers, point);
      rates.push(files / point.seconds);
    }
    const [one = 0, most = 0] = [rates[0], rates.at(-1)];
    const linear = one * (workerCounts.at(-1) ?? 1);
    return { ours: most, baseline: linear, ratios: [most / linear] };
  } finally {
    await stage.remove();
  }
}

const small = ({ quick }: BenchmarkOptions): Shape => ({
  ...{ files: quick ? 3_000 : 20_000, bytes: 8192 },
  shards: { SHARD_BYTES: '1G', SHARD_FILES: quick ? '100' : '500' },
});

const large = ({ quick }: BenchmarkOptions): Shape => ({
  ...{ files: quick ? 32 : 64, bytes: 32 * mebibyte },
  shards: { SHARD_BYTES: '64M' },
});

const compares = 'files per second of one dataset, 4 workers / 4 times 1 worker, slow storage';

export default [
  {
    ...{ name: 'shards: small files by 4 workers', unit: 'files/s', compares, goal: 0.8 },
    measure: (options) => scaling(small(options)),
  },
  {
    ...{ name: 'shards: large files by 4 workers', unit: 'files/s', compares, goal: 0.8 },
    measure: (options) => scaling(large(options)),
  },
] satisfies readonly Benchmark[];
