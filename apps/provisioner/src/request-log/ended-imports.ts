import { decodeTime } from 'ulid';
import type { ImportEnding } from '../model/import-record.js';
import { readRecord, type Records } from '../model/records.js';

/** The import log: an ending for each attempt, by the day it was asked for, never written again. */
const done = '.requests/done';

/** Records read at once. */
const readsAtOnce = 16;

/** The endings of all attempts at imports, as records below `data/.requests/done`. */
export class EndedImports {
  constructor(private readonly records: Records) {}

  /** How an attempt ended; null when it has not. */
  find(id: string, attempt: number): Promise<ImportEnding | null> {
    return readRecord<ImportEnding>(this.records, fileOf(id, attempt));
  }

  /** How the last attempt that has ended did. */
  async findLatest(id: string): Promise<ImportEnding | null> {
    let latest: ImportEnding | null = null;
    for (let attempt = 1; ; attempt += 1) {
      const ending = await this.find(id, attempt);
      if (!ending) return latest;
      latest = ending;
    }
  }

  /** Keeps an ending; the first word on an attempt stands. */
  async create(ending: ImportEnding): Promise<void> {
    await this.records.create(fileOf(ending.id, ending.attempt), `${JSON.stringify(ending, null, 2)}\n`);
  }

  /** The last ending of each import, the newest import first, from those older than `before` (an import id). */
  async *newestFirst(before: string | null): AsyncGenerator<ImportEnding> {
    const paths: string[] = [];
    const readThem = async (): Promise<readonly ImportEnding[]> => {
      const texts = await this.records.readAll(paths.splice(0));
      return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as ImportEnding]));
    };
    for await (const path of this.paths(before)) {
      paths.push(path);
      if (paths.length === readsAtOnce) yield* await readThem();
    }
    yield* await readThem();
  }

  /** Years, months, days and ids all sort as text. */
  private async *paths(before: string | null): AsyncGenerator<string> {
    for (const year of await this.newestIn(done)) {
      for (const month of await this.newestIn(`${done}/${year}`)) {
        for (const day of await this.newestIn(`${done}/${year}/${month}`)) {
          const folder = `${done}/${year}/${month}/${day}`;
          if (before !== null && folder > folderOf(before)) continue;
          yield* this.pathsOfDay(folder, before);
        }
      }
    }
  }

  private async *pathsOfDay(folder: string, before: string | null): AsyncGenerator<string> {
    const attempts = new Map<string, number>();
    for (const name of await this.records.names(folder)) {
      const [id = '', attempt = '1'] = name.replace(/\.json$/, '').split('.');
      if (before === null || id < before) attempts.set(id, Math.max(Number(attempt), attempts.get(id) ?? 0));
    }
    for (const [id, attempt] of [...attempts].sort(([one], [other]) => (one < other ? 1 : -1))) {
      yield fileOf(id, attempt);
    }
  }

  private async newestIn(folder: string): Promise<string[]> {
    return [...(await this.records.names(folder))].reverse();
  }
}

/** The folder of the day on which an import was asked for first. */
function folderOf(id: string): string {
  const [date = ''] = new Date(decodeTime(id)).toISOString().split('T');
  return `${done}/${date.replaceAll('-', '/')}`;
}

/** Each attempt's ending is a record of its own, which nothing ever changes. */
function fileOf(id: string, attempt: number): string {
  return `${folderOf(id)}/${id}${attempt === 1 ? '' : `.${String(attempt)}`}.json`;
}
