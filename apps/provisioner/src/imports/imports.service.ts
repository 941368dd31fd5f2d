import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { setTimeout } from 'node:timers/promises';
import { thisAgent } from '../process/software-agent.js';
import type { Subject } from '../model/identifier.js';
import type { FileRecord } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { ImportRequests, type RequestOptions, type SubmitResult } from './import-requests.js';
import { endingOf } from '../model/import-ending.js';
import {
  endedStates,
  isIrrevocable,
  isRemoval,
  type ImportRecord,
  type ImportRequest,
  type ImportResult,
} from '../model/import-record.js';
import type { ImportedFile } from './import-list.response.js';
import { recordOfCommit } from './build-import-response.js';
import type { ImportResponse } from './import.response.js';
import { ImportStateError } from './imports.errors.js';
import type { SearchFiles, SearchImports } from './imports.query.js';
import { WatchedImports } from './watched-imports.js';
import { readLines } from './list-lines.js';
import { rejectionReportOf, type RejectionReport } from '../model/rejection-report.js';
import { RequestLog, requestSlots } from '../model/request-log.js';

const pollMs = 200;

/** The time limit of a search. A page that reaches the limit ends early, and the next page resumes the search. */
const searchMs = 2_000;

const defaultLimit = 100;

/** A page of a list, with the cursor of the next page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** The service that reads, cancels and retries imports. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly log: RequestLog,
    private readonly requests: ImportRequests,
    private readonly storage: Storage,
    private readonly watched: WatchedImports,
  ) {}

  /** Returns an import. @throws UnknownRecordError if the import does not exist */
  async get(id: string): Promise<ImportResponse> {
    const record = await this.find(id);
    this.watched.record(record);
    return this.requests.toResponse(record);
  }

  /** Lists imports, the newest first. Plans are listed only if `kind` is `plan`. @param isVisible returns whether the caller may see an import */
  async search(
    { state, kind, subject, limit = defaultLimit, cursor }: SearchImports,
    isVisible: (response: ImportResponse) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<Page<ImportResponse>> {
    const items: ImportResponse[] = [];
    const until = performance.now() + searchMs;
    let next: string | null = null;
    for await (const record of this.newestFirst(cursor ?? null, kind === 'plan')) {
      if (items.length === limit || (next !== null && performance.now() > until)) return { items, next };
      const response = this.requests.toListed(record);
      next = response.id;
      const isMatch =
        (state === undefined || response.state === state) &&
        (kind === undefined || response.kind === kind) &&
        (subject === undefined || response.subject === subject);
      if (!isMatch || !(await isVisible(response))) continue;
      items.push(response);
      this.watched.record(record);
    }
    return { items, next: null };
  }

  /** Waits until an import has ended, for up to a number of seconds. */
  async waitForEnd(id: string, seconds: number): Promise<ImportResponse> {
    const until = performance.now() + seconds * 1000;
    for (;;) {
      const response = await this.get(id);
      if (isEnded(response) || performance.now() >= until) return response;
      await setTimeout(pollMs);
    }
  }

  /**
   * Submits a plan and waits until it has ended, for up to a number of seconds. If the submission joins a plan that had
   * begun before, another plan follows, because the first may not contain a correction that the caller has just made.
   *
   * @returns the plan, and whether it was submitted after the call
   */
  async plan(
    submit: () => Promise<SubmitResult>,
    seconds: number,
  ): Promise<{ readonly response: ImportResponse; readonly isCurrent: boolean }> {
    const calledAt = new Date().toISOString();
    const until = performance.now() + seconds * 1000;
    for (;;) {
      const { id, requested_at } = (await submit()).import;
      const response = await this.waitForEnd(id, Math.max(0, (until - performance.now()) / 1000));
      const isCurrent = requested_at >= calledAt;
      if (isCurrent || !isEnded(response) || performance.now() >= until) return { response, isCurrent };
    }
  }

  /** Yields an import after each change until it has ended, at most once per second. */
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

  /** Cancels an import. @throws UnknownRecordError, ImportStateError if the import has ended or is being published */
  async cancel(id: string): Promise<ImportResponse> {
    const record = await this.find(id);
    const { state, progress } = this.requests.toResponse(record);
    if (record.ending) throw new ImportStateError(`The import cannot be cancelled: it has ended (${state}).`, state);
    if (isIrrevocable(progress.phase)) {
      throw new ImportStateError(`The import cannot be cancelled: it is ${progress.phase} already.`, state);
    }
    await this.log.requestCancel(record.request);
    // An earlier cancellation may have failed before this step.
    if (record.status?.state !== 'running') await this.endIdle(record.request);
    return this.get(id);
  }

  /**
   * Ends a cancelled import that no worker runs. A worker that starts it at this moment either detects the cancellation
   * before the publication, or finds its staging area discarded.
   */
  private async endIdle(request: ImportRequest): Promise<void> {
    // Only a worker can determine whether the step of a withdrawal or a purge was taken.
    if (isRemoval(request.kind)) return;
    if (request.kind === 'dataset' || request.kind === 'submission') {
      await this.storage.discard(request.subject);
      // The import was published but not ended. A worker ends it as finished.
      if (await this.storage.findCommit(request.subject)) return;
    }
    await this.log.end(endingOf(request, 'cancelled', { startedAt: null, progress: null }));
  }

  /** Retries an import that did not finish. @throws UnknownRecordError, ImportStateError, and as `submit` does */
  async retry(id: string, options: RequestOptions): Promise<ImportResponse> {
    for (;;) {
      const { request, ending } = await this.find(id);
      if (!ending) throw new ImportStateError('The import is still under way.', 'running');
      if (ending.state === 'finished') throw new ImportStateError('The import has finished.', ending.state);
      const { kind, subject, attempt, reason, withdraws, purges, plans, datasets } = request;
      if (kind === 'dataset') await this.requests.requireNotWithdrawn(subject.id);
      if (ending.state === 'rejected' && (kind === 'dataset' || kind === 'submission')) {
        return (await this.requests.submit(subject, options)).import;
      }
      const operation = { kind, subject, reason, withdraws, purges, plans, datasets };
      const next = { id, ...operation, attempt: attempt + 1, accepted_by: thisAgent, ...options };
      const result = await this.requests.submitOnce({ ...next, requested_at: new Date().toISOString() });
      if (result) return result.import;
    }
  }

  /** Lists the failed files of an import, or the files in the storage if the import has finished. */
  async files(id: string, { state, limit = 1000, cursor }: SearchFiles): Promise<Page<ImportedFile>> {
    const { request, ending } = await this.find(id);
    const from = cursor === undefined ? 0 : Number(cursor);
    const { kind, subject } = request;
    const isListed =
      ending?.state === 'finished' && state !== 'failed' && (kind === 'dataset' || kind === 'submission');
    if (isListed) return this.storedFiles(subject, ending.result, from, limit);
    const failed = state === 'finished' ? [] : (ending?.files ?? []);
    const items = failed.slice(from, from + limit).map(({ path, code, message }): ImportedFile => {
      return { path, state: 'failed', size: null, sha256: null, code, message };
    });
    return { items, next: failed.length > from + limit ? String(from + limit) : null };
  }

  /** Returns the report of a rejected delivery. @throws UnknownRecordError if the import was not rejected */
  async report(id: string): Promise<RejectionReport> {
    const { ending } = await this.find(id);
    const report = ending && rejectionReportOf(ending);
    if (!report) throw new UnknownRecordError('report of the import', id);
    return report;
  }

  /** Lists the files that an import published. After a withdrawal the list is empty. */
  private async storedFiles(
    subject: Subject,
    result: ImportResult | null,
    from: number,
    limit: number,
  ): Promise<Page<ImportedFile>> {
    const items: ImportedFile[] = [];
    const commit = await this.storage.findCommit(subject);
    if (commit?.content.manifest_sha256 !== result?.manifest_sha256) return { items, next: null };
    let offset = from;
    for await (const { text, next } of readLines(this.storage.openList(subject, 'ndjson'), from)) {
      const { path, type, size, sha256 = null } = JSON.parse(text) as FileRecord;
      if (type !== 'file') continue;
      if (items.length === limit) return { items, next: String(offset) };
      items.push({ path, state: 'finished', size, sha256, code: null, message: null });
      offset = next;
    }
    return { items, next: null };
  }

  private async find(id: string): Promise<ImportRecord> {
    const record = (await this.log.find(id)) ?? (await this.findByCommit(id));
    if (!record) throw new UnknownRecordError('import', id);
    return record;
  }

  /** Restores an import that was removed from the log from its commit. */
  private async findByCommit(id: string): Promise<ImportRecord | null> {
    for (const kind of ['dataset', 'submission'] as const) {
      const { bySubject } = await this.storage.commits(kind);
      for (const head of bySubject.values()) {
        if (head.import_id !== id) continue;
        const commit = await this.storage.findCommit({ kind, id: head.id });
        return commit?.import_id === id ? recordOfCommit(commit, this.storage) : null;
      }
    }
    return null;
  }

  /** Lists open and ended imports, merged by id. */
  private async *newestFirst(before: string | null, isPlan: boolean): AsyncGenerator<ImportRecord> {
    const open = await this.openIds(before, isPlan);
    for await (const ending of isPlan ? this.log.listPlans(before) : this.log.listEnded(before)) {
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

  /** Lists the ids of open imports, the oldest first. */
  private async openIds(before: string | null, isPlan: boolean): Promise<string[]> {
    const listed = requestSlots.filter((slot) => (slot === 'plan') === isPlan);
    const slots = await Promise.all(listed.map((slot) => this.log.openRequests(slot)));
    const ids = slots.flatMap(({ bySubject }) => [...bySubject.values()].map(({ id }) => id));
    return ids.filter((id) => before === null || id < before).sort();
  }
}

export function isEnded({ state }: ImportResponse): boolean {
  return (endedStates as readonly string[]).includes(state);
}
