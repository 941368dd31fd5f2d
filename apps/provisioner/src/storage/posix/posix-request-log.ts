import { link, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeTime } from 'ulid';
import { isIdentifier } from '../../source/identifier.js';
import type {
  ImportEnding,
  ImportKind,
  ImportRecord,
  ImportRequest,
  ImportStatus,
} from '../../imports/import-record.js';
import { RequestLog, type OpenedRequest } from '../../imports/request-log.js';
import {
  createExclusively,
  guarded,
  ignoring,
  isErrno,
  readRecord,
  removeFile,
  replaceFile,
  syncFolder,
  workFolderMode,
  writeDurably,
} from './durable-file.js';
import { Layout } from './layout.js';

const idShape = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const kinds: readonly ImportKind[] = ['dataset', 'submission', 'verify'];

/** The request log as small files below `data/.requests`. */
export class PosixRequestLog extends RequestLog {
  private readonly root: string;

  constructor(storageRoot: string) {
    super();
    this.root = new Layout(storageRoot).requests;
  }

  /** The request is written under its id first and then linked to its subject's name, which only one can take. */
  override open(request: ImportRequest): Promise<OpenedRequest> {
    return guarded(async () => {
      const own = this.byId(request.id);
      const taken = this.openFile(request.kind, request.subject);
      await mkdir(dirname(taken), { recursive: true, mode: workFolderMode });
      await writeDurably(own, `${JSON.stringify(request, null, 2)}\n`);
      for (;;) {
        try {
          await link(own, taken);
          await syncFolder(dirname(taken));
          return { request, isNew: true };
        } catch (error) {
          if (!isErrno(error, 'EEXIST')) throw error;
        }
        const standing = await this.findOpen(request.kind, request.subject);
        if (standing?.id === request.id) return { request: standing, isNew: false };
        if (!standing) continue;
        await removeFile(own);
        return { request: standing, isNew: false };
      }
    });
  }

  override withdraw(request: ImportRequest): Promise<void> {
    return guarded(() => this.close(request));
  }

  override findOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null> {
    return guarded(() => readRecord<ImportRequest>(this.openFile(kind, subject)));
  }

  override listOpen(): Promise<readonly ImportRequest[]> {
    return guarded(async () => {
      const open: ImportRequest[] = [];
      for (const kind of kinds) {
        for (const subject of await namesIn(join(this.root, 'open', kind))) {
          const request = await this.findOpen(kind, subject);
          if (!request) continue;
          const ending = await readRecord<ImportEnding>(this.doneFile(request.id));
          if (ending && ending.attempt >= request.attempt) await this.close(request);
          else open.push(request);
        }
      }
      return open.sort((one, other) => (one.id < other.id ? -1 : 1));
    });
  }

  override find(id: string): Promise<ImportRecord | null> {
    if (!idShape.test(id)) return Promise.resolve(null);
    return guarded(async () => {
      const request = await readRecord<ImportRequest>(this.byId(id));
      const ending = await readRecord<ImportEnding>(this.doneFile(id));
      if (ending && ending.attempt >= (request?.attempt ?? 0)) {
        return { request: ending, ending, status: null, cancelling: false };
      }
      if (!request) return null;
      const status = await readRecord<ImportStatus>(this.statusFile(id));
      return { request, ending: null, status, cancelling: await this.isCancelRequested(id) };
    });
  }

  override noteStatus({ id }: ImportRequest, status: ImportStatus): Promise<void> {
    return guarded(async () => {
      const path = this.statusFile(id);
      await mkdir(dirname(path), { recursive: true, mode: workFolderMode });
      await replaceFile(path, JSON.stringify(status));
    });
  }

  override requestCancel({ id }: ImportRequest): Promise<void> {
    return guarded(async () => {
      await createExclusively(this.cancelFile(id), '');
    });
  }

  override isCancelRequested(id: string): Promise<boolean> {
    return guarded(async () => (await ignoring(['ENOENT'], stat(this.cancelFile(id)))) !== undefined);
  }

  override end(ending: ImportEnding): Promise<void> {
    return guarded(async () => {
      await writeDurably(this.doneFile(ending.id), `${JSON.stringify(ending, null, 2)}\n`);
      const last = this.lastFile(ending.kind, ending.subject);
      if (ending.state === 'finished') await removeFile(last);
      else await writeDurably(last, JSON.stringify({ ...ending, files: [] }));
      await this.close(ending);
    });
  }

  override findLastFailure(kind: ImportKind, subject: string): Promise<ImportEnding | null> {
    return guarded(() => readRecord<ImportEnding>(this.lastFile(kind, subject)));
  }

  override listLastFailures(kind: ImportKind): Promise<ReadonlyMap<string, ImportEnding>> {
    return guarded(async () => {
      const found = new Map<string, ImportEnding>();
      for (const subject of await namesIn(join(this.root, 'last', kind))) {
        const ending = await this.findLastFailure(kind, subject);
        if (ending) found.set(subject, ending);
      }
      return found;
    });
  }

  override async *listEnded(before: string | null): AsyncGenerator<ImportEnding> {
    for await (const id of this.endedIds()) {
      if (before !== null && id >= before) continue;
      const ending = await guarded(() => readRecord<ImportEnding>(this.doneFile(id)));
      if (ending) yield ending;
    }
  }

  /** Ids of ended imports, the newest first: years, months, days and ids all sort as text. */
  private async *endedIds(): AsyncGenerator<string> {
    const done = join(this.root, 'done');
    for (const year of await newestIn(done)) {
      for (const month of await newestIn(join(done, year))) {
        for (const day of await newestIn(join(done, year, month))) {
          for (const name of await newestIn(join(done, year, month, day))) {
            if (name.endsWith('.json')) yield name.slice(0, -'.json'.length);
          }
        }
      }
    }
  }

  /** Closes a request unless the subject's name is another import's by now. */
  private async close({ id, kind, subject }: ImportRequest): Promise<void> {
    const standing = await readRecord<ImportRequest>(this.openFile(kind, subject));
    if (standing?.id === id) await removeFile(this.openFile(kind, subject));
    await Promise.all([this.byId(id), this.statusFile(id), this.cancelFile(id)].map(removeFile));
  }

  private openFile(kind: ImportKind, subject: string): string {
    if (!isIdentifier(subject)) throw new RangeError(`"${subject}" cannot be a subject`);
    return join(this.root, 'open', kind, `${subject}.json`);
  }

  private lastFile(kind: ImportKind, subject: string): string {
    return join(this.root, 'last', kind, `${subject}.json`);
  }

  private doneFile(id: string): string {
    const [date = ''] = new Date(decodeTime(id)).toISOString().split('T');
    return join(this.root, 'done', ...date.split('-'), `${id}.json`);
  }

  private byId(id: string): string {
    return join(this.root, 'requests', `${id}.json`);
  }

  private statusFile(id: string): string {
    return join(this.root, 'status', `${id}.json`);
  }

  private cancelFile(id: string): string {
    return join(this.root, 'cancel', id);
  }
}

/** Names of the records in a folder, without their ending; what is being written aside is not among them. */
async function namesIn(folder: string): Promise<string[]> {
  const names = (await ignoring(['ENOENT'], readdir(folder))) ?? [];
  return names.filter((name) => !name.endsWith('.tmp')).map((name) => name.replace(/\.json$/, ''));
}

async function newestIn(folder: string): Promise<string[]> {
  return ((await ignoring(['ENOENT'], readdir(folder))) ?? []).sort().reverse();
}
