import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { setTimeout } from 'node:timers/promises';
import { thisAgent } from '../process/software-agent.js';
import type { Subject } from '../model/identifier.js';
import type { FileRecord } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { ImportRequests, type RequestOptions } from './import-requests.js';
import { endingOf } from '../model/import-ending.js';
import {
  endedStates,
  isIrrevocable,
  type ImportRecord,
  type ImportRequest,
  type ImportResult,
} from '../model/import-record.js';
import type { ImportedFile } from './import-list.response.js';
import { recordOfCommit } from './build-import-response.js';
import type { ImportResponse } from './import.response.js';
import { ImportStateError } from './imports.errors.js';
import type { SearchFiles, SearchImports } from './imports.query.js';
import { readLines } from './list-lines.js';
import { RequestLog, requestSlots } from '../model/request-log.js';

const pollMs = 200;

/** So long a page is looked for: where few imports match it ends early, and the next goes on from there. */
const searchMs = 2_000;

/** Imports in one answer when the caller names no number. */
const defaultPage = 100;

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
    return this.requests.toResponse(await this.find(id));
  }

  /** Imports, the newest first. @param isSeen whether the caller may know of an import */
  async search(
    { state, kind, subject, limit = defaultPage, cursor }: SearchImports,
    isSeen: (response: ImportResponse) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<Page<ImportResponse>> {
    const items: ImportResponse[] = [];
    const until = performance.now() + searchMs;
    let next: string | null = null;
    for await (const record of this.newestFirst(cursor ?? null)) {
      if (items.length === limit || (next !== null && performance.now() > until)) return { items, next };
      const response = this.requests.toResponse(record);
      next = response.id;
      const isWanted =
        (state === undefined || response.state === state) &&
        (kind === undefined || response.kind === kind) &&
        (subject === undefined || response.subject === subject);
      if (isWanted && (await isSeen(response))) items.push(response);
    }
    return { items, next: null };
  }

  /** Waits until an import has ended, but not longer than asked. */
  async waitForEnd(id: string, seconds: number): Promise<ImportResponse> {
    const until = performance.now() + seconds * 1000;
    for (;;) {
      const response = await this.get(id);
      if (isEnded(response) || performance.now() >= until) return response;
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
    const { state, progress } = this.requests.toResponse(record);
    if (record.ending)
      throw new ImportStateError(`The import has ended (${state}); there is nothing to cancel.`, state);
    if (isIrrevocable(progress.phase)) {
      throw new ImportStateError(`It is ${progress.phase} already, and cannot be cancelled any more.`, state);
    }
    await this.log.requestCancel(record.request);
    // Also when it is cancelled already: whoever did that may have failed halfway.
    if (record.status?.state !== 'running') await this.endAtRest(record.request);
    return this.get(id);
  }

  /**
   * Ends a cancelled import that nobody works at. Whoever starts it at this moment either looks whether it is cancelled
   * before it publishes, or has lost by then what it would publish.
   */
  private async endAtRest(request: ImportRequest): Promise<void> {
    const { kind, subject: id } = request;
    // Whether its one step was taken meanwhile only a worker can say.
    if (kind === 'withdraw') return;
    if (kind !== 'verify') {
      await this.storage.discard({ kind, id });
      // Published, and not yet called finished: that is for a worker to say too.
      if (await this.storage.findCommit({ kind, id })) return;
    }
    await this.log.end(endingOf(request, 'cancelled', { startedAt: null, progress: null }));
  }

  /** Goes on with an import that did not finish. @throws UnknownRecordError, ImportStateError, and as `submit` does */
  async retry(id: string, asking: RequestOptions): Promise<ImportResponse> {
    const { request, ending } = await this.find(id);
    if (!ending) throw new ImportStateError('The import is still under way.', 'running');
    if (ending.state === 'finished') throw new ImportStateError('The import has finished.', ending.state);
    const { kind, subject, attempt, reason, withdraws } = request;
    if (ending.state === 'rejected' && (kind === 'dataset' || kind === 'submission')) {
      return (await this.requests.submit({ kind, id: subject }, asking)).import;
    }
    const again = { id, kind, subject, attempt: attempt + 1, reason, withdraws, accepted_by: thisAgent, ...asking };
    const asked = await this.requests.submitOnce({ ...again, requested_at: new Date().toISOString() });
    return asked ? asked.import : this.retry(id, asking);
  }

  /** The files of an import: those that failed, else those that are in storage. */
  async files(id: string, { state, limit = 1000, cursor }: SearchFiles): Promise<Page<ImportedFile>> {
    const { request, ending } = await this.find(id);
    const from = cursor === undefined ? 0 : Number(cursor);
    const { kind, subject } = request;
    const isListed =
      ending?.state === 'finished' && state !== 'failed' && (kind === 'dataset' || kind === 'submission');
    if (isListed) return this.listed({ kind, id: subject }, ending.result, from, limit);
    const failed = state === 'finished' ? [] : (ending?.files ?? []);
    const items = failed.slice(from, from + limit).map(({ path, code, message }): ImportedFile => {
      return { path, state: 'failed', size: null, sha256: null, code, message };
    });
    return { items, next: failed.length > from + limit ? String(from + limit) : null };
  }

  /** What an import has made, unless that was withdrawn since: something else may be there now. */
  private async listed(
    subject: Subject,
    result: ImportResult | null,
    from: number,
    limit: number,
  ): Promise<Page<ImportedFile>> {
    const items: ImportedFile[] = [];
    const commit = await this.storage.findCommit(subject);
    if (commit?.content.manifest_sha256 !== result?.manifest_sha256) return { items, next: null };
    let at = from;
    for await (const { text, next } of readLines(this.storage.openList(subject, 'ndjson'), from)) {
      const { path, type, size, sha256 = null } = JSON.parse(text) as FileRecord;
      if (type !== 'file') continue;
      if (items.length === limit) return { items, next: String(at) };
      items.push({ path, state: 'finished', size, sha256, code: null, message: null });
      at = next;
    }
    return { items, next: null };
  }

  private async find(id: string): Promise<ImportRecord> {
    const record = (await this.log.find(id)) ?? (await this.findByCommit(id));
    if (!record) throw new UnknownRecordError('import', id);
    return record;
  }

  /** An import that was removed from the log is known for as long as what it made stands. */
  private async findByCommit(id: string): Promise<ImportRecord | null> {
    for (const kind of ['dataset', 'submission'] as const) {
      const { byId } = await this.storage.commits(kind);
      for (const { id: subject, import_id } of byId.values()) {
        if (import_id !== id) continue;
        const commit = await this.storage.findCommit({ kind, id: subject });
        return commit?.import_id === id ? recordOfCommit(commit, this.storage) : null;
      }
    }
    return null;
  }

  /** Open and ended ones, merged by id. */
  private async *newestFirst(before: string | null): AsyncGenerator<ImportRecord> {
    const open = await this.openIds(before);
    for await (const ending of this.log.listEnded(before)) {
      let isOpen = false;
      for (let latest = open.at(-1); latest !== undefined && latest >= ending.id; latest = open.at(-1)) {
        open.pop();
        const record = await this.log.find(latest);
        if (record) yield record;
        isOpen = latest === ending.id && record !== null;
      }
      if (!isOpen) yield { request: ending, ending, status: null, cancelling: false };
    }
    for (const id of open.reverse()) {
      const record = await this.log.find(id);
      if (record) yield record;
    }
  }

  /** Ids of open imports, the oldest first. */
  private async openIds(before: string | null): Promise<string[]> {
    const slots = await Promise.all(requestSlots.map((slot) => this.log.openRequests(slot)));
    const ids = slots.flatMap(({ bySubject }) => [...bySubject.values()].map(({ id }) => id));
    return ids.filter((id) => before === null || id < before).sort();
  }
}

/** Whether an import moves no more. */
export function isEnded({ state }: ImportResponse): boolean {
  return (endedStates as readonly string[]).includes(state);
}
