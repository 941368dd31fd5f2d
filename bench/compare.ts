import { pairwise, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { underLoad, type Load, type LoadResult } from './load.ts';

/** Number of measurements of each side. */
export const roundsOf = ({ quick }: BenchmarkOptions): number => (quick ? 3 : 7);

/** Measures two servers alternately under the same load, after a warm-up of both. */
export async function compareUnderLoad(
  { quick }: BenchmarkOptions,
  ours: Omit<Load, 'connections' | 'seconds'>,
  bare: Omit<Load, 'connections' | 'seconds'>,
  figure: (result: LoadResult) => number = ({ perSecond }) => perSecond,
): Promise<Measured> {
  const run =
    (load: Omit<Load, 'connections' | 'seconds'>): (() => Promise<number>) =>
    async () =>
      figure(await underLoad({ ...load, connections: 8, seconds: quick ? 1 : 3 }));
  await pairwise(2, run(ours), run(bare));
  return pairwise(roundsOf({ quick }), run(ours), run(bare));
}
