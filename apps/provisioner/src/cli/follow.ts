import { ProgressBar } from '@rdc/cli';
import { setTimeout } from 'node:timers/promises';
import { type ImportsService, isEnded } from '../imports/imports.service.js';
import type { ImportResponse } from '../imports/import.response.js';
import { isRemoval, type ImportKind } from '../model/import-record.js';
import type { CommandContext } from './command.js';
import { exitCodes } from './exit-codes.js';
import { escapeUnsafe } from '../model/unsafe-names.js';
import { durationText, sizeText } from './text.js';

const pollMs = 500;

/** Maximum number of failed files of one import that are printed. */
const maxFilesPrinted = 20;

/** Options for showing the progress of imports. */
export interface FollowOptions {
  readonly imports: ImportsService;
  readonly context: CommandContext;
  readonly json: boolean;
  /** The label of the progress bar. */
  readonly label: string;
}

/**
 * Shows the progress of imports until all have ended, and prints each import when it ends. Ctrl-C ends the command but
 * not the imports.
 *
 * @returns the exit code
 */
export async function follow(ids: readonly string[], options: FollowOptions): Promise<number> {
  const detached = new AbortController();
  const detach = (): void => {
    detached.abort();
  };
  process.once('SIGINT', detach);
  try {
    return await followUntil(detached.signal, ids, options);
  } finally {
    process.off('SIGINT', detach);
  }
}

async function followUntil(detached: AbortSignal, ids: readonly string[], options: FollowOptions): Promise<number> {
  const { imports, context, label } = options;
  const bar = new ProgressBar(0, label);
  const open = new Set(ids);
  const latest = new Map<string, ImportResponse>();
  while (open.size > 0) {
    for (const id of open) {
      if (detached.aborted) break;
      const response = await imports.get(id);
      latest.set(id, response);
      if (!isEnded(response)) continue;
      open.delete(id);
      bar.end();
      await printEnded(response, options);
    }
    if (open.size === 0) break;
    showProgress(bar, [...latest.values()], open.size);
    await setTimeout(pollMs, undefined, { signal: detached }).catch(() => undefined);
    if (!detached.aborted) continue;
    bar.end();
    context.remark(
      `Detached. The imports continue; follow them with: provisioner status ${[...open].join(' ')} --wait`,
    );
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
    ...(waiting ? [`waiting: ${waiting.error?.message ?? ''}`] : []),
    ...all.flatMap(({ progress }) => progress.current).slice(0, 1),
  ];
  bar.show(done, Math.max(total, 1), escapeUnsafe(remarks.join(', ')));
}

async function printEnded(response: ImportResponse, { imports, context, json }: FollowOptions): Promise<void> {
  printImport(response, context, json);
  if (json || response.state === 'finished') return;
  const { items, next } = await imports.files(response.id, { state: 'failed', limit: maxFilesPrinted });
  for (const { code, path, message } of items)
    context.print(escapeUnsafe(`  ${code ?? ''}  ${path}  ${message ?? ''}`));
  if (next !== null) context.print(`  More files failed. List all with: provisioner status ${response.id} --files`);
}

/** Prints an import as a line of JSON, or as lines of text. */
export function printImport(response: ImportResponse, { print }: Pick<CommandContext, 'print'>, json: boolean): void {
  for (const line of json ? [JSON.stringify(response)] : linesOf(response)) print(line);
}

/** Returns an import as lines of text: its state, and its reason and error if any. */
function linesOf(response: ImportResponse): string[] {
  const { id, kind, subject, state, error, reason } = response;
  const first = `${id}  ${kind} ${subject}  ${state}  ${isEnded(response) ? resultOf(response) : progressOf(response)}`;
  return [
    first,
    ...integrityLines(response),
    ...(reason === undefined ? [] : [escapeUnsafe(`  reason: ${reason}`)]),
    ...(error ? [escapeUnsafe(`  ${error.code}: ${error.message}`)] : []),
  ];
}

function resultOf({ result, progress }: ImportResponse): string {
  if (!result) return `after ${String(progress.files_done)} files`;
  return `${String(result.files)} files, ${sizeText(result.bytes)} in ${result.path}`;
}

/** Returns how many files had a declared checksum, and the lists that were not compared. */
function integrityLines({ kind, result }: ImportResponse): string[] {
  const { integrity } = result ?? {};
  if (!integrity || isRemoval(kind as ImportKind)) return [];
  const { files, compared, algorithms, not_compared } = integrity;
  const by = compared === 0 ? '' : ` by ${algorithms.join(', ')}`;
  return [
    `  compared with declared checksums: ${String(compared)} of ${String(files)} files${by}`,
    ...not_compared.map(({ reason }) => escapeUnsafe(`  ${reason}`)),
  ];
}

function progressOf({ progress }: ImportResponse): string {
  const { phase, files_done, files_total, bytes_done, bytes_total } = progress;
  const files = `${String(files_done)}/${String(files_total ?? '?')} files`;
  return `${phase}, ${files}, ${sizeText(bytes_done)} of ${bytes_total === null ? '?' : sizeText(bytes_total)}`;
}
