import { decodeTime } from 'ulid';
import type { ImportEnding, ImportKind, ImportRecord, ImportRequest, ImportStatus } from '../imports/import-record.js';
import { RequestLog, type OpenedRequest } from '../imports/request-log.js';
import { isIdentifier } from '../source/identifier.js';
import { readRecord, type Records } from './records.js';

const idShape = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const kinds: readonly ImportKind[] = ['dataset', 'submission', 'verify'];

/** Where the log is below `data/` (provisioner interface, section 2). */
const root = '.requests';

/** Records read at once. */
const readsAtOnce = 16;

/** The request log as small records below `data/.requests`. */
export class StoredRequestLog extends RequestLog {
  constructor(private readonly records: Records) {
    super();
  }

  /** The request is written under its id first and then under its subject's name, which only one can take. */
  override async open(request: ImportRequest): Promise<OpenedRequest> {
    const own = this.byId(request.id);
    const text = `${JSON.stringify(request, null, 2)}\n`;
    const taken = this.openFile(request.kind, request.subject);
    await this.records.write(own, text);
    for (;;) {
      if (await this.records.create(taken, text)) return { request, isNew: true };
      const standing = await this.findOpen(request.kind, request.subject);
      if (standing?.id === request.id) return { request: standing, isNew: false };
      if (!standing) continue;
      await this.records.remove(own);
      return { request: standing, isNew: false };
    }
  }

  override withdraw(request: ImportRequest): Promise<void> {
    return this.close(request);
  }

  override findOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null> {
    return readRecord<ImportRequest>(this.records, this.openFile(kind, subject));
  }

  override async listOpen(): Promise<readonly ImportRequest[]> {
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const subjects = await this.namesIn(`${root}/open/${kind}`);
        return inTurns(subjects, (subject) => this.findStillOpen(kind, subject));
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
    const ending = await readRecord<ImportEnding>(this.records, this.doneFile(id));
    if (ending && ending.attempt >= (request?.attempt ?? 0)) {
      return { request: ending, ending, status: null, cancelling: false };
    }
    if (!request) return null;
    const status = await readRecord<ImportStatus>(this.records, this.statusFile(id));
    return { request, ending: null, status, cancelling: await this.isCancelRequested(id) };
  }

  override noteStatus({ id }: ImportRequest, status: ImportStatus): Promise<void> {
    return this.records.replace(this.statusFile(id), JSON.stringify(status));
  }

  override async requestCancel({ id }: ImportRequest): Promise<void> {
    await this.records.create(this.cancelFile(id), '');
  }

  override async isCancelRequested(id: string): Promise<boolean> {
    return (await this.records.read(this.cancelFile(id))) !== null;
  }

  override async end(ending: ImportEnding): Promise<void> {
    await this.records.write(this.doneFile(ending.id), `${JSON.stringify(ending, null, 2)}\n`);
    const last = this.lastFile(ending.kind, ending.subject);
    if (ending.state === 'finished') await this.records.remove(last);
    else await this.records.write(last, JSON.stringify({ ...ending, files: [] }));
    await this.close(ending);
  }

  override findLastFailure(kind: ImportKind, subject: string): Promise<ImportEnding | null> {
    return readRecord<ImportEnding>(this.records, this.lastFile(kind, subject));
  }

  override async listLastFailures(kind: ImportKind): Promise<ReadonlyMap<string, ImportEnding>> {
    const subjects = await this.namesIn(`${root}/last/${kind}`);
    const endings = await inTurns(subjects, (subject) => this.findLastFailure(kind, subject));
    return new Map(endings.flatMap((ending) => (ending ? [[ending.subject, ending]] : [])));
  }

  override async *listEnded(before: string | null): AsyncGenerator<ImportEnding> {
    for await (const id of this.endedIds()) {
      if (before !== null && id >= before) continue;
      const ending = await readRecord<ImportEnding>(this.records, this.doneFile(id));
      if (ending) yield ending;
    }
  }

  /** Ids of ended imports, the newest first: years, months, days and ids all sort as text. */
  private async *endedIds(): AsyncGenerator<string> {
    const done = `${root}/done`;
    for (const year of await this.newestIn(done)) {
      for (const month of await this.newestIn(`${done}/${year}`)) {
        for (const day of await this.newestIn(`${done}/${year}/${month}`)) {
          yield* await this.newestIn(`${done}/${year}/${month}/${day}`);
        }
      }
    }
  }

  /** An open request; null, and closed on the way, when its ending is there already. */
  private async findStillOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null> {
    const request = await this.findOpen(kind, subject);
    if (!request) return null;
    const ending = await readRecord<ImportEnding>(this.records, this.doneFile(request.id));
    if (!ending || ending.attempt < request.attempt) return request;
    await this.close(request);
    return null;
  }

  /** Closes a request unless the subject's name is another import's by now. */
  private async close({ id, kind, subject }: ImportRequest): Promise<void> {
    const standing = await this.findOpen(kind, subject);
    if (standing?.id === id) await this.records.remove(this.openFile(kind, subject));
    await Promise.all(
      [this.byId(id), this.statusFile(id), this.cancelFile(id)].map((path) => this.records.remove(path)),
    );
  }

  /** Names in a folder, without their ending. */
  private async namesIn(folder: string): Promise<string[]> {
    return (await this.records.names(folder)).map((name) => name.replace(/\.json$/, ''));
  }

  private async newestIn(folder: string): Promise<string[]> {
    return (await this.namesIn(folder)).reverse();
  }

  private openFile(kind: ImportKind, subject: string): string {
    if (!isIdentifier(subject)) throw new RangeError(`"${subject}" cannot be a subject`);
    return `${root}/open/${kind}/${subject}.json`;
  }

  private lastFile(kind: ImportKind, subject: string): string {
    return `${root}/last/${kind}/${subject}.json`;
  }

  private doneFile(id: string): string {
    const [date = ''] = new Date(decodeTime(id)).toISOString().split('T');
    return `${root}/done/${date.replaceAll('-', '/')}/${id}.json`;
  }

  private byId(id: string): string {
    return `${root}/requests/${id}.json`;
  }

  private statusFile(id: string): string {
    return `${root}/status/${id}.json`;
  }

  private cancelFile(id: string): string {
    return `${root}/cancel/${id}`;
  }
}

/** Calls for each item, some of them at once; the answers in the order of the items. */
async function inTurns<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const rest = items.entries();
  const take = async (): Promise<void> => {
    for (const [index, item] of rest) answers[index] = await call(item);
  };
  await Promise.all(Array.from({ length: readsAtOnce }, take));
  return answers;
}
