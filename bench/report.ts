import { median, type Benchmark, type Measured } from './benchmark.ts';

/** The outcome of a benchmark as one line of the report. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly baseline: number | null;
  readonly ratio: number | null;
  /** Half the distance between the best and the worst ratio of the run. */
  readonly spread: number | null;
  readonly goal: number;
  readonly verdict: Verdict;
}

/** `unclear` where some rounds reached the goal and the median did not. */
export type Verdict = 'reached' | 'unclear' | 'MISSED' | 'no baseline here';

/** Compares a measurement with its goal. */
export function rowOf({ name, unit, goal, atMost }: Benchmark, { ours, baseline, ratios }: Measured): Row {
  const row = { name, unit, ours, baseline, goal };
  if (ratios.length === 0) return { ...row, ratio: null, spread: null, verdict: 'no baseline here' };
  const ratio = median(ratios);
  const spread = (Math.max(...ratios) - Math.min(...ratios)) / 2;
  const reaches = (figure: number): boolean => (atMost ? figure <= goal : figure >= goal);
  const verdict = reaches(ratio) ? 'reached' : ratios.some(reaches) ? 'unclear' : 'MISSED';
  return { ...row, ratio, spread, verdict };
}

/** Returns the row as text: name, our figure, baseline, ratio, goal. */
export function lineOf({ name, unit, ours, baseline, ratio, spread, goal, verdict }: Row): string {
  const shownRatio = ratio === null || spread === null ? 'null' : `${ratio.toFixed(2)} ±${spread.toFixed(2)}`;
  return [
    name.padEnd(34),
    `${figure(ours)} ${unit}`.padStart(18),
    (baseline === null ? 'null' : figure(baseline)).padStart(10),
    shownRatio.padStart(13),
    goal.toFixed(2).padStart(6),
    verdict,
  ].join('  ');
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
