import { ProgressBar } from '@rdc/cli';
import { setTimeout } from 'node:timers/promises';
import { type ImportsService, isEnded } from '../imports/imports.service.js';
import type { ImportResponse } from '../imports/import.response.js';
import type { CommandContext } from './command.js';
import { exitCodes } from './exit-codes.js';
import { durationText, sizeText, visible } from './text.js';

const pollMs = 500;

/** Files of one import that are named on the terminal; the others are in its list. */
const filesShown = 20;

/** How the followed imports are shown. */
export interface FollowOptions {
  readonly imports: ImportsService;
  readonly context: CommandContext;
  readonly json: boolean;
  /** What the bar is called. */
  readonly label: string;
}

/**
 * Shows how far imports are until all have ended, and each as it ends. Ctrl-C ends the watching, not the imports.
 *
 * @returns the exit code
 */
export async function follow(ids: readonly string[], following: FollowOptions): Promise<number> {
  const left = new AbortController();
  const leave = (): void => {
    left.abort();
  };
  process.once('SIGINT', leave);
  try {
    return await followUntil(left.signal, ids, following);
  } finally {
    process.off('SIGINT', leave);
  }
}

async function followUntil(left: AbortSignal, ids: readonly string[], following: FollowOptions): Promise<number> {
  const { imports, context, label } = following;
  const bar = new ProgressBar(0, label);
  const open = new Set(ids);
  const latest = new Map<string, ImportResponse>();
  while (open.size > 0) {
    for (const id of open) {
      if (left.aborted) break;
      const response = await imports.get(id);
      latest.set(id, response);
      if (!isEnded(response)) continue;
      open.delete(id);
      bar.end();
      await printEnded(response, following);
    }
    if (open.size === 0) break;
    showProgress(bar, [...latest.values()], open.size);
    await setTimeout(pollMs, undefined, { signal: left }).catch(() => undefined);
    if (!left.aborted) continue;
    bar.end();
    context.remark(`Going on without you: provisioner status ${[...open].join(' ')}`);
    return exitCodes.interrupted;
  }
  return [...latest.values()].every(({ state }) => state === 'finished') ? exitCodes.done : exitCodes.unfinished;
}

function showProgress(bar: ProgressBar, all: readonly ImportResponse[], open: number): void {
  const sum = (of: (each: ImportResponse) => number | null): number =>
    all.reduce((total, each) => total + (of(each) ?? 0), 0);
  const speed = sum(({ progress, state }) => (state === 'running' ? progress.bytes_per_second : 0));
  const done = sum(({ progress }) => progress.bytes_done);
  const total = sum(({ progress }) => progress.bytes_total);
  const [waiting] = all.filter(({ state }) => state === 'waiting');
  const remarks = [
    ...(all.length > 1 ? [`${String(all.length - open)}/${String(all.length)}`] : []),
    ...(speed > 0 ? [`${sizeText(speed)}/s`, `${durationText(Math.ceil((total - done) / speed))} left`] : []),
    ...(waiting ? [`waits: ${waiting.error?.message ?? ''}`] : []),
    ...all.flatMap(({ progress }) => progress.current).slice(0, 1),
  ];
  bar.show(done, Math.max(total, 1), visible(remarks.join(', ')));
}

async function printEnded(response: ImportResponse, { imports, context, json }: FollowOptions): Promise<void> {
  if (json) {
    context.print(JSON.stringify(response));
    return;
  }
  for (const line of linesOf(response)) context.print(line);
  if (response.state === 'finished') return;
  const { items, next } = await imports.files(response.id, { state: 'failed', limit: filesShown });
  for (const { code, path, message } of items) context.print(visible(`  ${code ?? ''}  ${path}  ${message ?? ''}`));
  if (next !== null) context.print(`  ... all of them: provisioner status ${response.id} --files`);
}

/** An import in a line or two. */
export function linesOf(response: ImportResponse): string[] {
  const { id, kind, subject, state, error, reason } = response;
  const first = `${id}  ${kind} ${subject}  ${state}  ${isEnded(response) ? endOf(response) : wayOf(response)}`;
  return [
    first,
    ...(reason === undefined ? [] : [visible(`  reason: ${reason}`)]),
    ...(error ? [visible(`  ${error.code}: ${error.message}`)] : []),
  ];
}

function endOf({ result, progress }: ImportResponse): string {
  if (!result) return `after ${String(progress.files_done)} files`;
  return `${String(result.files)} files, ${sizeText(result.bytes)} in ${result.path}`;
}

function wayOf({ progress }: ImportResponse): string {
  const { phase, files_done, files_total, bytes_done, bytes_total } = progress;
  const files = `${String(files_done)}/${String(files_total ?? '?')} files`;
  return `${phase}, ${files}, ${sizeText(bytes_done)} of ${bytes_total === null ? '?' : sizeText(bytes_total)}`;
}
