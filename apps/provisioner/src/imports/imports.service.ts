import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { FileRecord } from '../storage/commit.js';
import { Storage } from '../storage/storage.js';
import { ImportRequests, type Asking } from './import-requests.js';
import { endedStates, type ImportRecord } from './import-record.js';
import { toImportResponse, type ImportResponse } from './import.response.js';
import { ImportStateError } from './imports.errors.js';
import type { SearchFiles, SearchImports } from './imports.query.js';
import { RequestLog } from './request-log.js';

const pollMs = 200;

/** Imports in one answer when the caller names no number. */
const defaultPage = 100;

/** One file of an import, as the list of files shows it. */
export interface ImportedFile {
  readonly path: string;
  readonly state: 'finished' | 'failed';
  readonly size: number | null;
  readonly sha256: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

/** A page and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Reads imports, running and ended, and steers them. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly log: RequestLog,
    private readonly requests: ImportRequests,
    private readonly storage: Storage,
  ) {}

  /** @throws UnknownRecordError */
  async get(id: string): Promise<ImportResponse> {
    return toImportResponse(await this.find(id));
  }

  /** Imports, the newest first. */
  async search({ state, kind, subject, limit = defaultPage, cursor }: SearchImports): Promise<Page<ImportResponse>> {
    const items: ImportResponse[] = [];
    for await (const record of this.newestFirst(cursor ?? null)) {
      const response = toImportResponse(record);
      if (state !== undefined && response.state !== state) continue;
      if (kind !== undefined && response.kind !== kind) continue;
      if (subject !== undefined && response.subject !== subject) continue;
      if (items.length === limit) return { items, next: items.at(-1)?.id ?? null };
      items.push(response);
    }
    return { items, next: null };
  }

  /** Waits until an import has ended, but not longer than asked. */
  async await(id: string, seconds: number): Promise<ImportResponse> {
    const until = Date.now() + seconds * 1000;
    for (;;) {
      const response = await this.get(id);
      if (isEnded(response) || Date.now() >= until) return response;
      await setTimeout(pollMs);
    }
  }

  /** Every change of an import until it has ended; at most one a second. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<ImportResponse> {
    let last = '';
    while (!signal.aborted) {
      const response = await this.get(id);
      const text = JSON.stringify(response);
      if (text !== last) yield response;
      last = text;
      if (isEnded(response)) return;
      await setTimeout(1_000);
    }
  }

  /** @throws UnknownRecordError, ImportStateError when it has ended or is being published */
  async cancel(id: string): Promise<ImportResponse> {
    const record = await this.find(id);
    const { state, progress } = toImportResponse(record);
    if (record.ending)
      throw new ImportStateError(`The import has ended (${state}); there is nothing to cancel.`, state);
    if (progress.phase === 'publishing') throw new ImportStateError('The import is being published.', state);
    await this.log.requestCancel(record.request);
    return this.get(id);
  }

  /** Goes on with an import that did not finish. @throws UnknownRecordError, ImportStateError */
  async retry(id: string, asking: Asking): Promise<ImportResponse> {
    const { request, ending } = await this.find(id);
    if (!ending) throw new ImportStateError('The import is still under way.', 'running');
    if (ending.state === 'finished') throw new ImportStateError('The import has finished.', ending.state);
    if (ending.state === 'rejected' && request.kind !== 'verify') {
      return (await this.requests.ask({ kind: request.kind, id: request.subject }, asking)).import;
    }
    const { kind, subject, attempt } = request;
    const requested_at = new Date().toISOString();
    return (await this.requests.submit({ id, kind, subject, attempt: attempt + 1, requested_at, ...asking })).import;
  }

  /** The files of an import: those that failed, else those that are in storage. */
  async files(id: string, { state, limit = 1000, cursor }: SearchFiles): Promise<Page<ImportedFile>> {
    const { request, ending } = await this.find(id);
    const from = cursor === undefined ? 0 : Number(cursor);
    const failed = (ending?.files ?? []).map(({ path, code, message }): ImportedFile => {
      return { path, state: 'failed', size: null, sha256: null, code, message };
    });
    const isListed = ending?.state === 'finished' && state !== 'failed' && request.kind !== 'verify';
    const items = isListed
      ? await this.listed(request.kind === 'submission' ? 'submission' : 'dataset', request.subject, from, limit + 1)
      : state === 'finished'
        ? []
        : failed.slice(from, from + limit + 1);
    return { items: items.slice(0, limit), next: items.length > limit ? String(from + limit) : null };
  }

  private async listed(
    kind: 'dataset' | 'submission',
    id: string,
    from: number,
    count: number,
  ): Promise<ImportedFile[]> {
    const found: ImportedFile[] = [];
    const input = this.storage.openList({ kind, id }, 'ndjson');
    let at = 0;
    for await (const line of createInterface({ input })) {
      const { path, type, size, sha256 = null } = JSON.parse(line) as FileRecord;
      if (type !== 'file' || at++ < from) continue;
      found.push({ path, state: 'finished', size, sha256, code: null, message: null });
      if (found.length === count) break;
    }
    input.destroy();
    return found;
  }

  private async find(id: string): Promise<ImportRecord> {
    const record = await this.log.find(id);
    if (!record) throw new UnknownRecordError('import', id);
    return record;
  }

  /** Open and ended ones, merged by id. */
  private async *newestFirst(before: string | null): AsyncGenerator<ImportRecord> {
    const open = (await this.log.listOpen()).filter(({ id }) => before === null || id < before);
    for await (const ending of this.log.listEnded(before)) {
      for (let latest = open.at(-1); latest && latest.id >= ending.id; latest = open.at(-1)) {
        open.pop();
        const record = await this.log.find(latest.id);
        if (record) yield record;
        if (latest.id === ending.id) break;
      }
      const isReopened = (await this.log.find(ending.id))?.ending === null;
      if (!isReopened) yield { request: ending, ending, status: null, cancelling: false };
    }
    for (const { id } of open.reverse()) {
      const record = await this.log.find(id);
      if (record) yield record;
    }
  }
}

/** Whether an import moves no more. */
export function isEnded({ state }: ImportResponse): boolean {
  return (endedStates as readonly string[]).includes(state);
}
