import { mapConcurrently } from '../concurrency/call-for-each.js';
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
import { differByCaseOnly, foldedId, isIdentifier } from '../model/identifier.js';
import { EndedImports } from './ended-imports.js';
import { RecordIndex, type IndexedRecords } from '../model/record-index.js';
import { readRecord, type Records } from '../model/records.js';
import { SharedRequests } from './shared-requests.js';

const idShape = /^[0-9A-HJKMNP-TV-Z]{26}$/;

function slotOf(kind: ImportKind): RequestSlot {
  return kind === 'withdraw' ? 'dataset' : kind;
}

/** Where the log is below `data/` (provisioner interface, section 2). */
const root = '.requests';

/** From where an import was asked for is personal data, and stands in the import log only, whose days can be removed. */
const withoutAddress = { requested_from: undefined };

/** Records read at once. */
const readsAtOnce = 16;

/** The request log as small records below `data/.requests`. */
export class StoredRequestLog extends RequestLog {
  private readonly openIndices: Readonly<Record<RequestSlot, RecordIndex<OpenRequest>>>;
  private readonly shared: SharedRequests;
  private readonly ended: EndedImports;
  private readonly lastIndices: Readonly<Record<RequestSlot, RecordIndex<LastFailure>>>;

  constructor(private readonly records: Records) {
    super();
    this.shared = new SharedRequests(records);
    this.ended = new EndedImports(records);
    const indices = <T extends { subject: string }>(
      folder: string,
      parse: (text: string) => T,
    ): Record<RequestSlot, RecordIndex<T>> => ({
      dataset: new RecordIndex(records, `${root}/${folder}/dataset`, parse),
      submission: new RecordIndex(records, `${root}/${folder}/submission`, parse),
      verify: new RecordIndex(records, `${root}/${folder}/verify`, parse),
    });
    this.openIndices = indices('open', openRequestOf);
    this.lastIndices = indices('last', lastFailureOf);
  }

  /**
   * Only one can take the subject's name; under its id the request is found from then on. What has ended, and whoever
   * ended it was killed before it was closed, makes way.
   */
  override async open(request: ImportRequest): Promise<OpenedRequest | null> {
    for (;;) {
      const taken = this.openFile(request.kind, request.subject);
      const isNew = await this.records.create(taken, `${JSON.stringify(request, null, 2)}\n`);
      failpoint('request_open');
      const standing = isNew ? request : await this.findOpen(request.kind, request.subject);
      if (!standing) continue;
      if (isNew && (await this.closeEnded(request))) return null;
      if (differByCaseOnly(standing.subject, request.subject)) return { request: standing, isNew };
      if (!isNew && !(await this.shared.share(standing))) await this.close(standing);
      else await this.makeFindable(standing);
      if (await this.find(standing.id)) return { request: standing, isNew };
    }
  }

  override async revoke(request: ImportRequest): Promise<void> {
    if (await this.shared.retract(request)) await this.close(request);
  }

  override async findOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null> {
    const request = await this.standingAt(kind, subject);
    return request && !(await this.closeEnded(request)) ? request : null;
  }

  override async listOpen(): Promise<readonly ImportRequest[]> {
    const found = await Promise.all(
      requestSlots.map(async (kind) => {
        const subjects = await this.namesIn(`${root}/open/${kind}`);
        return mapConcurrently(subjects, readsAtOnce, (subject) => this.findStillOpen(kind, subject));
      }),
    );
    return found
      .flat()
      .filter((request) => request !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  override async find(id: string): Promise<ImportRecord | null> {
    if (!idShape.test(id)) return null;
    const request = await readRecord<ImportRequest>(this.records, this.byId(id));
    const ending = await (request ? this.ended.find(id, request.attempt) : this.ended.findLatest(id));
    if (ending) return { request: ending, ending, status: null, cancelling: false };
    if (!request) return null;
    const status = await readRecord<ImportStatus>(this.records, this.statusFile(id));
    return { request, ending: null, status, cancelling: (await this.records.read(this.cancelFile(request))) !== null };
  }

  /** A worker that slept while its import ended leaves nothing behind. */
  override async saveStatus({ id }: ImportRequest, status: ImportStatus): Promise<void> {
    await this.records.replace(this.statusFile(id), JSON.stringify(status));
    if ((await this.records.read(this.byId(id))) === null) await this.records.remove(this.statusFile(id));
  }

  /** Of an import that ends at this moment nothing stays. */
  override async requestCancel(request: ImportRequest): Promise<void> {
    const wish = this.cancelFile(request);
    await this.records.create(wish, '');
    if (!(await this.isOpenAt(request))) await this.records.remove(wish);
  }

  override async isStopRequested(request: ImportRequest): Promise<boolean> {
    return (await this.records.read(this.cancelFile(request))) !== null || !(await this.isOpenAt(request));
  }

  /** What makes it ended is the record among the done ones; it is written once, so that nobody's late word replaces it. */
  override async end(ending: ImportEnding): Promise<void> {
    const { id, attempt } = ending;
    if (!(await this.ended.find(id, attempt))) {
      if (ending.state === 'rejected') await this.report(ending);
      await this.noteLast(ending);
      failpoint('before_done');
      await this.ended.create(ending);
      failpoint('after_done');
    }
    await this.close(ending);
  }

  /** Where case is not distinguished another's may be found there: that says nothing of this subject. */
  override async findLastFailure(kind: ImportKind, subject: string): Promise<LatestEnding | null> {
    const last = await readRecord<LatestEnding>(this.records, this.lastFile(kind, subject));
    return last?.subject === subject ? last : null;
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

  /** An open request that can be found by its id. */
  private async findStillOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null> {
    const request = await this.findOpen(kind, subject);
    if (request) await this.makeFindable(request);
    return request;
  }

  /** What stands under a subject's name, whether its ending is there or not. */
  private standingAt(kind: ImportKind, subject: string): Promise<ImportRequest | null> {
    return readRecord<ImportRequest>(this.records, this.openFile(kind, subject));
  }

  /** Closes a request whose ending is there. @returns whether it is */
  private async closeEnded(request: ImportRequest): Promise<boolean> {
    const isEnded = (await this.ended.find(request.id, request.attempt)) !== null;
    if (isEnded) await this.close(request);
    return isEnded;
  }

  /** Writes an open request under its id too, unless it is there; whoever has opened it may have been killed since. */
  private async makeFindable(request: ImportRequest): Promise<void> {
    const own = this.byId(request.id);
    const former = await readRecord<ImportRequest>(this.records, own);
    if (former && former.attempt >= request.attempt) return;
    await this.records.write(own, `${JSON.stringify(request, null, 2)}\n`);
    const standing = await this.standingAt(request.kind, request.subject);
    if (standing?.id !== request.id) await this.records.remove(own);
  }

  /** Keeps what a subject's latest ending says of its state, unless that is plain from what is imported. */
  private async noteLast(ending: ImportEnding): Promise<void> {
    const { kind, subject, state } = ending;
    const last = this.lastFile(kind, subject);
    const kept = { ...ending, files: [], ...withoutAddress };
    const note = (): Promise<void> => this.records.write(last, JSON.stringify(kept));
    if (kind === 'withdraw') {
      // One that failed may have taken the dataset out of sight already: it must not come back by itself either.
      if (state === 'finished' || (state === 'failed' && ending.error?.code !== 'not_imported')) await note();
      if (state === 'finished') await this.records.remove(this.lastFile('verify', subject));
    } else if (state === 'finished') await this.records.remove(last);
    else await note();
  }

  /** What is wrong with a delivery, a line for each file, for whoever mends it. */
  private async report({ files, ...how }: ImportEnding): Promise<void> {
    const lines = [{ ...how, ...withoutAddress }, ...files].map((each) => `${JSON.stringify(each)}\n`);
    await this.records.write(`.quarantine/${how.kind}/${how.subject}/${how.id}/report.ndjson`, lines.join(''));
  }

  /** Closes a request; what another import, or a later attempt at the same one, has written by now stays. */
  private async close(request: ImportRequest): Promise<void> {
    const { id, attempt, kind, subject } = request;
    const isMeant = (text: string): boolean => {
      const standing = JSON.parse(text) as ImportRequest;
      return standing.id === id && standing.attempt <= attempt;
    };
    failpoint('before_close');
    await this.records.removeIf(this.openFile(kind, subject), isMeant);
    await this.records.removeIf(this.byId(id), isMeant);
    await Promise.all([
      this.records.remove(this.statusFile(id)),
      this.records.remove(this.cancelFile(request)),
      this.shared.remove(request),
    ]);
  }

  /** Names in a folder, without their ending. */
  private async namesIn(folder: string): Promise<string[]> {
    return (await this.records.names(folder)).map((name) => name.replace(/\.json$/, ''));
  }

  /** One for all subjects that differ by case only, so that of those too only one is open. */
  private openFile(kind: ImportKind, subject: string): string {
    if (!isIdentifier(subject)) throw new RangeError(`"${subject}" cannot be a subject`);
    return `${root}/open/${slotOf(kind)}/${kind === 'verify' ? subject : foldedId(subject)}.json`;
  }

  private lastFile(kind: ImportKind, subject: string): string {
    return `${root}/last/${slotOf(kind)}/${subject}.json`;
  }

  private byId(id: string): string {
    return `${root}/requests/${id}.json`;
  }

  private statusFile(id: string): string {
    return `${root}/status/${id}.json`;
  }

  /** Of one attempt: who cancelled it did not mean the next. */
  private cancelFile({ id, attempt }: ImportRequest): string {
    return `${root}/cancel/${id}.${String(attempt)}`;
  }

  private async isOpenAt({ id, attempt }: ImportRequest): Promise<boolean> {
    return (await readRecord<ImportRequest>(this.records, this.byId(id)))?.attempt === attempt;
  }
}

function openRequestOf(text: string): OpenRequest {
  const { id, kind, subject } = JSON.parse(text) as ImportRequest;
  return { id, kind, subject };
}

function lastFailureOf(text: string): LastFailure {
  const { id, kind, subject, state, fingerprint } = JSON.parse(text) as ImportEnding;
  return { id, kind, subject, state, fingerprint };
}
