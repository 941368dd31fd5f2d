/** The result of a benchmark: our figure and the baseline's figure, measured in the same run on the same machine. */
export interface Measured {
  /** Our figure, in the benchmark's unit. */
  readonly ours: number;
  /** The baseline's figure; null if this machine lacks the baseline. */
  readonly baseline: number | null;
  /** The ratio of each paired round. They show the spread of the run. */
  readonly ratios: readonly number[];
}

/** Options of a run. */
export interface BenchmarkOptions {
  /** Whether a run uses a tenth of the sizes and three rounds, which checks in minutes that every benchmark works. */
  readonly quick: boolean;
}

/** One comparison. A file `*.bench.ts` exports an array of them as its default. */
export interface Benchmark {
  readonly name: string;
  readonly unit: string;
  /** The two figures of the ratio, e.g. `requests per second, ours / bare Fastify`. */
  readonly compares: string;
  /** The required ratio: a lower bound, or an upper bound if `atMost` is set. */
  readonly goal: number;
  readonly atMost?: boolean;
  measure(options: BenchmarkOptions): Promise<Measured>;
}

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

/**
 * Measures two actions alternately, so that other work on the machine affects both alike.
 *
 * @param ours does the work once and returns a figure, such as requests per second; `baseline` does so for the baseline
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
