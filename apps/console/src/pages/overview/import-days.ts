import type { components } from '../../api/generated/provisioner.ts';

/** The imports of a day. */
export interface ImportDay {
  /** The start of the day in the user's time zone. */
  readonly at: Date;
  readonly datasets: number;
  readonly bytes: number;
}

type ImportRun = components['schemas']['ImportResponse'];

/** The number of days in the chart, including today. */
const shown = 14;

/**
 * Returns the last days, each with the datasets that were imported on the day.
 *
 * @param runs the newest imports
 * @param isAll whether `runs` contains all imports; otherwise, days that may be incomplete are omitted
 */
export function daysOf(runs: readonly ImportRun[], isAll: boolean): readonly ImportDay[] {
  const today = new Date();
  const oldest = runs.at(-1)?.requested_at;
  const days = Array.from({ length: shown }, (_, index) => {
    const from = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (shown - 1 - index));
    const to = new Date(from.getFullYear(), from.getMonth(), from.getDate() + 1);
    const finished = runs.filter((run) => isImportedDataset(run) && isWithin(run.finished_at, from, to));
    const bytes = finished.reduce((total, { result }) => total + (result?.bytes ?? 0), 0);
    return { at: from, datasets: finished.length, bytes };
  });
  return isAll || oldest === undefined ? days : days.filter(({ at }) => at > new Date(oldest));
}

function isImportedDataset({ kind, state }: ImportRun): boolean {
  return kind === 'dataset' && state === 'finished';
}

function isWithin(instant: string | null, from: Date, to: Date): boolean {
  if (instant === null) return false;
  const at = new Date(instant);
  return at >= from && at < to;
}
