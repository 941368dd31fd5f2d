/** What one benchmark measured: our figure beside its baseline's, taken in the same run on the same machine. */
export interface Measured {
  /** Our figure, in the benchmark's unit. */
  readonly ours: number;
  /** The baseline's; null when the baseline is not on this machine. */
  readonly baseline: number | null;
  /** The ratio of each paired round, from which the spread of the run is read. */
  readonly ratios: readonly number[];
}

/** How large a run is. */
export interface BenchmarkOptions {
  /** A tenth of the sizes and three rounds, to see in minutes that everything runs. */
  readonly quick: boolean;
}

/** One comparison. A file `*.bench.ts` exports an array of them as its default. */
export interface Benchmark {
  readonly name: string;
  readonly unit: string;
  /** What is divided by what, e.g. `requests per second, ours / bare Fastify`. */
  readonly compares: string;
  /** The ratio to reach: at least this, or at most this when `atMost` is set. */
  readonly goal: number;
  readonly atMost?: boolean;
  measure(options: BenchmarkOptions): Promise<Measured>;
}

/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

/**
 * Times two actions in turn, round by round, so that whatever else the machine does falls on both alike.
 *
 * @param ours and `baseline` each do the work once and answer a figure, such as requests per second
 */
export async function pairwise(
  rounds: number,
  ours: () => Promise<number>,
  baseline: (() => Promise<number>) | null,
): Promise<Measured> {
  const pairs: { ours: number; baseline: number | null }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const theirs = baseline ? await baseline() : null;
    pairs.push({ ours: await ours(), baseline: theirs });
  }
  const baselines = pairs.flatMap((pair) => (pair.baseline === null ? [] : [pair.baseline]));
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    baseline: baselines.length > 0 ? median(baselines) : null,
    ratios: pairs.flatMap((pair) => (pair.baseline === null ? [] : [pair.ours / pair.baseline])),
  };
}
