import { mapConcurrently } from '../concurrency/for-each-concurrently.js';
import { failpoint } from '../process/failpoint.js';
import type { ImportEnding, ImportKind, ImportRecord, ImportRequest, ImportStatus } from '../model/import-record.js';
import {
  RequestLog,
  requestSlots,
  type LastFailure,
  type LatestEnding,
  type OpenedRequest,
  type OpenRequest,
  type RequestSlot,
} from '../model/request-log.js';
import { differByCaseOnly, foldedId, isIdentifier, type Subject } from '../model/identifier.js';
import { RecordIndex, type IndexedRecords } from '../model/record-index.js';
import { readRecord, type Records } from '../model/records.js';
import { rejectionReportOf } from '../model/rejection-report.js';
import { EndedImports } from './ended-imports.js';
import { SharedRequests } from './shared-requests.js';
import { fromStored, parseEnding, parseRequest, readRequest, toStored, type StoredForm } from './stored-request.js';

const idShape = /^[0-9A-HJKMNP-TV-Z]{26}$/;

function slotOf(kind: ImportKind): RequestSlot {
  return kind === 'withdraw' ? 'dataset' : kind;
}

/** The folder of the log below `data/`. */
const root = '.requests';

/**
 * Removes the address of the caller. The address is personal data, which only the import log contains, because days of
 * the import log can be deleted.
 */
const withoutAddress = { requested_from: undefined };

/** The number of open requests that are read at once. */
const readsAtOnce = 16;

/** The request log as small JSON records below `data/.requests`. */
export class StoredRequestLog extends RequestLog {
  private readonly openIndices: Readonly<Record<RequestSlot, RecordIndex<OpenRequest>>>;
  private readonly shared: SharedRequests;
  private readonly ended: EndedImports;
  private readonly lastIndices: Readonly<Record<RequestSlot, RecordIndex<LastFailure>>>;

  constructor(private readonly records: Records) {
    super();
    this.shared = new SharedRequests(records);
    this.ended = new EndedImports(records);
    const indexOf = <T extends { subject: Subject }>(folder: string, parse: (text: string) => T): RecordIndex<T> =>
      new RecordIndex(records, `${root}/${folder}`, parse, ({ subject }) => subject.id);
    const indices = <T extends { subject: Subject }>(
      folder: string,
      parse: (text: string) => T,
    ): Record<RequestSlot, RecordIndex<T>> => ({
      dataset: indexOf(`${folder}/dataset`, parse),
      submission: indexOf(`${folder}/submission`, parse),
      verify: indexOf(`${folder}/verify`, parse),
    });
    this.openIndices = indices('open', openRequestOf);
    this.lastIndices = indices('last', lastFailureOf);
  }

  /**
   * Creates the record of the subject, which only one caller can create, and then the record of the id. If the existing
   * request has ended but was not closed, the method closes it first.
   */
  override async open(request: ImportRequest): Promise<OpenedRequest | null> {
    for (;;) {
      const isNew = await this.records.create(this.openFile(request.kind, request.subject.id), textOf(request));
      failpoint('request_open');
      const current = isNew ? request : await this.findOpen(request.kind, request.subject.id);
      if (!current) continue;
      if (isNew && (await this.closeEnded(request))) return null;
      if (differByCaseOnly(current.subject.id, request.subject.id)) return { request: current, isNew };
      if (!isNew && !(await this.shared.share(current))) await this.close(current);
      else await this.indexById(current);
      if (await this.find(current.id)) return { request: current, isNew };
    }
  }

  override async revoke(request: ImportRequest): Promise<void> {
    if (await this.shared.retract(request)) await this.close(request);
  }

  override async findOpen(kind: ImportKind, subjectId: string): Promise<ImportRequest | null> {
    const request = await this.readOpen(kind, subjectId);
    return request && !(await this.closeEnded(request)) ? request : null;
  }

  override async listOpen(): Promise<readonly ImportRequest[]> {
    const found = await Promise.all(
      requestSlots.map(async (kind) => {
        const subjectIds = await this.namesIn(`${root}/open/${kind}`);
        return mapConcurrently(subjectIds, readsAtOnce, (subjectId) => this.findAndIndex(kind, subjectId));
      }),
    );
    return found
      .flat()
      .filter((request) => request !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  override async find(id: string): Promise<ImportRecord | null> {
    if (!idShape.test(id)) return null;
    const request = await readRequest(this.records, this.byId(id));
    const ending = await (request ? this.ended.find(id, request.attempt) : this.ended.findLatest(id));
    if (ending) return { request: ending, ending, status: null, cancelling: false };
    if (!request) return null;
    const status = await readRecord<ImportStatus>(this.records, this.statusFile(id));
    return { request, ending: null, status, cancelling: (await this.records.read(this.cancelFile(request))) !== null };
  }

  /** Removes the status again if the import has ended, because a suspended worker may write it late. */
  override async saveStatus({ id }: ImportRequest, status: ImportStatus): Promise<void> {
    await this.records.replace(this.statusFile(id), JSON.stringify(status));
    if ((await this.records.read(this.byId(id))) === null) await this.records.remove(this.statusFile(id));
  }

  /** Removes the cancellation again if the attempt has ended. */
  override async requestCancel(request: ImportRequest): Promise<void> {
    const file = this.cancelFile(request);
    await this.records.create(file, '');
    if (!(await this.isCurrent(request))) await this.records.remove(file);
  }

  override async isStopRequested(request: ImportRequest): Promise<boolean> {
    return (await this.records.read(this.cancelFile(request))) !== null || !(await this.isCurrent(request));
  }

  /** Creates the ending, which ends the import and is never replaced, and then closes the request. */
  override async end(ending: ImportEnding): Promise<void> {
    const { id, attempt } = ending;
    if (!(await this.ended.find(id, attempt))) {
      await this.writeReport(ending);
      await this.recordLatest(ending);
      failpoint('before_done');
      await this.ended.create(ending);
      failpoint('after_done');
    }
    await this.close(ending);
  }

  /** Ignores the record of a case variant, which a case-insensitive storage returns under the same name. */
  override async findLastFailure(kind: ImportKind, subjectId: string): Promise<LatestEnding | null> {
    const last = await readRecord<StoredForm<LatestEnding>>(this.records, this.lastFile(kind, subjectId));
    return last?.subject === subjectId ? fromStored(last) : null;
  }

  override lastFailures(slot: RequestSlot): Promise<IndexedRecords<LastFailure>> {
    return this.lastIndices[slot].all();
  }

  override openRequests(slot: RequestSlot): Promise<IndexedRecords<OpenRequest>> {
    return this.openIndices[slot].all();
  }

  override listEnded(before: string | null): AsyncIterable<ImportEnding> {
    return this.ended.newestFirst(before);
  }

  /** Returns the open request of a subject, after making it findable by its id. */
  private async findAndIndex(kind: ImportKind, subjectId: string): Promise<ImportRequest | null> {
    const request = await this.findOpen(kind, subjectId);
    if (request) await this.indexById(request);
    return request;
  }

  /** Reads the request of a subject, which may have ended. */
  private readOpen(kind: ImportKind, subjectId: string): Promise<ImportRequest | null> {
    return readRequest(this.records, this.openFile(kind, subjectId));
  }

  /** Closes a request if it has ended. @returns whether it has ended */
  private async closeEnded(request: ImportRequest): Promise<boolean> {
    const isEnded = (await this.ended.find(request.id, request.attempt)) !== null;
    if (isEnded) await this.close(request);
    return isEnded;
  }

  /** Writes an open request under its id, unless it is there. The process that opened it may have been killed before. */
  private async indexById(request: ImportRequest): Promise<void> {
    const file = this.byId(request.id);
    const indexed = await readRequest(this.records, file);
    if (indexed && indexed.attempt >= request.attempt) return;
    await this.records.write(file, textOf(request));
    const current = await this.readOpen(request.kind, request.subject.id);
    if (current?.id !== request.id) await this.records.remove(file);
  }

  /** Records the latest ending of a subject, unless the commit in the storage implies it. */
  private async recordLatest(ending: ImportEnding): Promise<void> {
    const { kind, subject, state } = ending;
    const file = this.lastFile(kind, subject.id);
    const latest = { ...toStored(ending), files: [], ...withoutAddress };
    const record = (): Promise<void> => this.records.write(file, JSON.stringify(latest));
    if (kind === 'withdraw') {
      // A failed withdrawal may have hidden the dataset already. A scheduled import must not restore the dataset.
      if (state === 'finished' || (state === 'failed' && ending.error?.code !== 'not_imported')) await record();
      if (state === 'finished') await this.records.remove(this.lastFile('verify', subject.id));
    } else if (state === 'finished') await this.records.remove(file);
    else await record();
  }

  /** Writes the report of a rejected delivery. If the process is killed before the ending is recorded, it is written again. */
  private async writeReport(ending: ImportEnding): Promise<void> {
    const report = rejectionReportOf(ending);
    if (!report) return;
    const { kind, subject, import_id } = report;
    const path = `.quarantine/${kind}/${subject}/${import_id}/report.json`;
    await this.records.write(path, `${JSON.stringify(report, null, 2)}\n`);
  }

  /** Closes a request. The records of another import and of a later attempt stay. */
  private async close({ id, attempt, kind, subject }: ImportRequest): Promise<void> {
    const isSameOrEarlier = (text: string): boolean => {
      const stored = JSON.parse(text) as Pick<ImportRequest, 'id' | 'attempt'>;
      return stored.id === id && stored.attempt <= attempt;
    };
    failpoint('before_close');
    await this.records.removeIf(this.openFile(kind, subject.id), isSameOrEarlier);
    await this.records.removeIf(this.byId(id), isSameOrEarlier);
    await Promise.all([
      this.records.remove(this.statusFile(id)),
      this.records.remove(this.cancelFile({ id, attempt })),
      this.shared.remove({ id, attempt }),
    ]);
  }

  /** Lists the names in a folder without `.json`. */
  private async namesIn(folder: string): Promise<string[]> {
    return (await this.records.names(folder)).map((name) => name.replace(/\.json$/, ''));
  }

  /** Returns one file for all subjects that differ by case only, so that only one of them can be open. */
  private openFile(kind: ImportKind, subjectId: string): string {
    if (!isIdentifier(subjectId)) throw new RangeError(`"${subjectId}" is not a valid id of a subject`);
    return `${root}/open/${slotOf(kind)}/${kind === 'verify' ? subjectId : foldedId(subjectId)}.json`;
  }

  private lastFile(kind: ImportKind, subjectId: string): string {
    return `${root}/last/${slotOf(kind)}/${subjectId}.json`;
  }

  private byId(id: string): string {
    return `${root}/requests/${id}.json`;
  }

  private statusFile(id: string): string {
    return `${root}/status/${id}.json`;
  }

  /** Returns the file of one attempt, because a cancellation does not concern the next attempt. */
  private cancelFile({ id, attempt }: Pick<ImportRequest, 'id' | 'attempt'>): string {
    return `${root}/cancel/${id}.${String(attempt)}`;
  }

  private async isCurrent({ id, attempt }: ImportRequest): Promise<boolean> {
    return (await readRequest(this.records, this.byId(id)))?.attempt === attempt;
  }
}

function textOf(request: ImportRequest): string {
  return `${JSON.stringify(toStored(request), null, 2)}\n`;
}

function openRequestOf(text: string): OpenRequest {
  const { id, kind, subject } = parseRequest(text);
  return { id, kind, subject };
}

function lastFailureOf(text: string): LastFailure {
  const { id, kind, subject, state, fingerprint } = parseEnding(text);
  return { id, kind, subject, state, fingerprint };
}
