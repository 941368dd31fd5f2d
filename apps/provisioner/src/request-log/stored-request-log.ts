import { randomUUID } from 'node:crypto';
import { mapConcurrently } from '../concurrency/for-each-concurrently.js';
import { failpoint } from '../process/failpoint.js';
import {
  subjectKindOf,
  type ImportEnding,
  type ImportKind,
  type ImportRecord,
  type ImportRequest,
  type ImportStatus,
} from '../model/import-record.js';
import {
  RequestLog,
  requestSlots,
  type LastFailure,
  type LatestEnding,
  type OpenedRequest,
  type OpenRequest,
  type RecordedSlot,
  type RequestSlot,
} from '../model/request-log.js';
import { differByCaseOnly, type Subject } from '../model/identifier.js';
import { RecordIndex, type IndexedRecords } from '../model/record-index.js';
import { readRecord, type Records } from '../model/records.js';
import { rejectionReportOf } from '../model/rejection-report.js';
import { EndedImports } from './ended-imports.js';
import { cancelFile, fileById, lastFile, openFile, openFileOf, root, statusFile, watchFile } from './request-paths.js';
import { SharedRequests } from './shared-requests.js';
import { fromStored, parseEnding, parseRequest, readRequest, toStored, type StoredForm } from './stored-request.js';

const idShape = /^[0-9A-HJKMNP-TV-Z]{26}$/;

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
  /** Plans are in a separate folder, so that they can be removed early, and lists of imports do not read them. */
  private readonly plans: EndedImports;
  private readonly lastIndices: Readonly<Record<RecordedSlot, RecordIndex<LastFailure>>>;

  constructor(private readonly records: Records) {
    super();
    this.shared = new SharedRequests(records);
    this.ended = new EndedImports(records, `${root}/done`);
    this.plans = new EndedImports(records, `${root}/plans`);
    const indexOf = <T extends { subject: Subject }>(folder: string, parse: (text: string) => T): RecordIndex<T> =>
      new RecordIndex(records, `${root}/${folder}`, parse, ({ subject }) => subject.id);
    const indices = <T extends { subject: Subject }>(
      folder: string,
      parse: (text: string) => T,
    ): Record<RecordedSlot, RecordIndex<T>> => ({
      dataset: indexOf(`${folder}/dataset`, parse),
      submission: indexOf(`${folder}/submission`, parse),
      verify: indexOf(`${folder}/verify`, parse),
    });
    const openPlans = new RecordIndex(records, `${root}/open/plan`, openRequestOf, ({ id }) => id);
    this.openIndices = { ...indices('open', openRequestOf), plan: openPlans };
    this.lastIndices = indices('last', lastFailureOf);
  }

  /**
   * Creates the record of the subject, which only one caller can create, and then the record of the id. If the existing
   * request has ended but was not closed, the method closes it first.
   */
  override async open(request: ImportRequest): Promise<OpenedRequest | null> {
    const file = openFile(request);
    for (;;) {
      const isNew = await this.records.create(file, textOf(request));
      failpoint('request_open');
      const current = isNew ? request : await this.findOpenIn(file);
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

  override findOpen(kind: Exclude<ImportKind, 'plan'>, id: string): Promise<ImportRequest | null> {
    return this.findOpenIn(openFile({ kind, subject: { kind: subjectKindOf({ kind }), id } }));
  }

  override async listOpen(): Promise<readonly ImportRequest[]> {
    const found = await Promise.all(
      requestSlots.map(async (slot) => {
        const names = await this.namesIn(`${root}/open/${slot}`);
        return mapConcurrently(names, readsAtOnce, (name) => this.findAndIndex(openFileOf(slot, name)));
      }),
    );
    return found
      .flat()
      .filter((request) => request !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  override async find(id: string): Promise<ImportRecord | null> {
    if (!idShape.test(id)) return null;
    const request = await readRequest(this.records, fileById(id));
    const ending = request
      ? await this.endedOf(request).find(id, request.attempt)
      : ((await this.ended.findLatest(id)) ?? (await this.plans.findLatest(id)));
    if (ending) return { request: ending, ending, status: null, cancelling: false };
    if (!request) return null;
    const status = await readRecord<ImportStatus>(this.records, statusFile(id));
    return { request, ending: null, status, cancelling: (await this.records.read(cancelFile(request))) !== null };
  }

  override findEnding(id: string, attempt: number): Promise<ImportEnding | null> {
    return this.ended.find(id, attempt);
  }

  override async saveStatus({ id }: ImportRequest, status: ImportStatus): Promise<void> {
    await this.replaceWhileOpen(id, statusFile(id), JSON.stringify(status));
  }

  override recordWatch({ id }: ImportRequest): Promise<void> {
    return this.replaceWhileOpen(id, watchFile(id), randomUUID());
  }

  override findWatch({ id }: ImportRequest): Promise<string | null> {
    return this.records.read(watchFile(id));
  }

  /** Removes the cancellation again if the attempt has ended. */
  override async requestCancel(request: ImportRequest): Promise<void> {
    const file = cancelFile(request);
    await this.records.create(file, '');
    if (!(await this.isCurrent(request))) await this.records.remove(file);
  }

  override async isStopRequested(request: ImportRequest): Promise<boolean> {
    return (await this.records.read(cancelFile(request))) !== null || !(await this.isCurrent(request));
  }

  /** Creates the ending, which ends the import and is never replaced, and then closes the request. */
  override async end(ending: ImportEnding): Promise<void> {
    const { id, attempt } = ending;
    if (!(await this.endedOf(ending).find(id, attempt))) {
      await this.writeReport(ending);
      await this.recordLatest(ending);
      failpoint('before_done');
      // A plan changes nothing, so the address of its caller is not stored.
      await this.endedOf(ending).create(ending.kind === 'plan' ? { ...ending, ...withoutAddress } : ending);
      failpoint('after_done');
    }
    await this.close(ending);
  }

  /** Ignores the record of a case variant, which a case-insensitive storage returns under the same name. */
  override async findLastFailure(kind: ImportKind, id: string): Promise<LatestEnding | null> {
    const file = lastFile({ kind, subject: { kind: subjectKindOf({ kind }), id } });
    const last = await readRecord<StoredForm<LatestEnding>>(this.records, file);
    return last?.subject === id ? fromStored(last) : null;
  }

  override lastFailures(slot: RecordedSlot): Promise<IndexedRecords<LastFailure>> {
    return this.lastIndices[slot].all();
  }

  override openRequests(slot: RequestSlot): Promise<IndexedRecords<OpenRequest>> {
    return this.openIndices[slot].all();
  }

  override listEnded(before: string | null): AsyncIterable<ImportEnding> {
    return this.ended.newestFirst(before);
  }

  override listPlans(before: string | null): AsyncIterable<ImportEnding> {
    return this.plans.newestFirst(before);
  }

  override removePlansBefore(instant: Date): Promise<void> {
    return this.plans.removeBefore(instant);
  }

  private endedOf({ kind }: Pick<ImportRequest, 'kind'>): EndedImports {
    return kind === 'plan' ? this.plans : this.ended;
  }

  /** Reads an open request, after making it findable by its id. */
  private async findAndIndex(file: string): Promise<ImportRequest | null> {
    const request = await this.findOpenIn(file);
    if (request) await this.indexById(request);
    return request;
  }

  /** Reads an open request. Closes a request that has ended. */
  private async findOpenIn(file: string): Promise<ImportRequest | null> {
    const request = await readRequest(this.records, file);
    return request && !(await this.closeEnded(request)) ? request : null;
  }

  /** Closes a request if it has ended. @returns whether it has ended */
  private async closeEnded(request: ImportRequest): Promise<boolean> {
    const isEnded = (await this.endedOf(request).find(request.id, request.attempt)) !== null;
    if (isEnded) await this.close(request);
    return isEnded;
  }

  /** Writes an open request under its id, unless it is there. The process that opened it may have been killed before. */
  private async indexById(request: ImportRequest): Promise<void> {
    const file = fileById(request.id);
    const indexed = await readRequest(this.records, file);
    if (indexed && indexed.attempt >= request.attempt) return;
    await this.records.write(file, textOf(request));
    const current = await readRequest(this.records, openFile(request));
    if (current?.id !== request.id) await this.records.remove(file);
  }

  /** Records the latest ending of a subject, unless the commit in the storage implies it. Plans change nothing. */
  private async recordLatest(ending: ImportEnding): Promise<void> {
    const { kind, subject, state } = ending;
    // The withdrawal stays the latest ending of a purged dataset, so that no schedule imports the dataset again.
    if (kind === 'plan' || kind === 'purge') return;
    const file = lastFile(ending);
    const latest = { ...toStored(ending), files: [], plan: null, ...withoutAddress };
    const record = (): Promise<void> => this.records.write(file, JSON.stringify(latest));
    if (kind === 'withdraw') {
      // A failed withdrawal may have hidden the dataset already. A scheduled import must not restore the dataset.
      if (state === 'finished' || (state === 'failed' && ending.error?.code !== 'not_imported')) await record();
      if (state === 'finished') await this.records.remove(lastFile({ kind: 'verify', subject }));
    } else if (state === 'finished') await this.records.remove(file);
    // A cancelled import of a withdrawn dataset leaves the dataset withdrawn.
    else if (state !== 'cancelled' || (await this.findLastFailure(kind, subject.id))?.kind !== 'withdraw')
      await record();
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
  private async close(request: ImportRequest): Promise<void> {
    const { id, attempt } = request;
    const isSameOrEarlier = (text: string): boolean => {
      const stored = JSON.parse(text) as Pick<ImportRequest, 'id' | 'attempt'>;
      return stored.id === id && stored.attempt <= attempt;
    };
    failpoint('before_close');
    await this.records.removeIf(openFile(request), isSameOrEarlier);
    await this.records.removeIf(fileById(id), isSameOrEarlier);
    await Promise.all([
      this.records.remove(statusFile(id)),
      this.records.remove(watchFile(id)),
      this.records.remove(cancelFile({ id, attempt })),
      this.shared.remove({ id, attempt }),
    ]);
  }

  /** Writes a record of an open import. Removes it again if the import has ended, because a suspended process may write late. */
  private async replaceWhileOpen(id: string, file: string, text: string): Promise<void> {
    await this.records.replace(file, text);
    if ((await this.records.read(fileById(id))) === null) await this.records.remove(file);
  }

  /** Lists the names in a folder without `.json`. */
  private async namesIn(folder: string): Promise<string[]> {
    return (await this.records.names(folder)).map((name) => name.replace(/\.json$/, ''));
  }

  private async isCurrent({ id, attempt }: ImportRequest): Promise<boolean> {
    return (await readRequest(this.records, fileById(id)))?.attempt === attempt;
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
