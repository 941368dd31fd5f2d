import type { components } from '../../api/generated/provisioner.ts';

/** What was imported on a day. */
export interface ImportDay {
  /** Midnight at its beginning, in the time of who looks. */
  readonly at: Date;
  readonly datasets: number;
  readonly bytes: number;
}

type ImportRun = components['schemas']['ImportResponse'];

/** Days that are shown, today included. */
const shown = 14;

/**
 * The last days, each with the datasets that were imported on it.
 *
 * @param runs the newest imports
 * @param isAll whether there are no others; otherwise days of which some may be missing are left out
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
