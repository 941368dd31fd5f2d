import { decodeTime } from 'ulid';
import type { ImportEnding } from '../model/import-record.js';
import type { LatestEnding } from '../model/request-log.js';
import type { Records } from '../model/records.js';
import { parseEnding, toStored } from './stored-request.js';

/** The number of records that are read at once. */
const readBatch = 16;

/** The ended attempts at imports, with one record each. A record never changes. */
export class EndedImports {
  /** @param root the folder, which has a folder for each day on which an import was first requested */
  constructor(
    private readonly records: Records,
    private readonly root: string,
  ) {}

  /** Reads the ending of an attempt. @returns null if the attempt has not ended */
  async find(id: string, attempt: number): Promise<ImportEnding | null> {
    const text = await this.records.read(this.fileOf(id, attempt));
    return text === null ? null : parseEnding(text);
  }

  /** Reads the ending of the latest ended attempt. @returns null if no attempt has ended */
  async findLatest(id: string): Promise<ImportEnding | null> {
    let latest: ImportEnding | null = null;
    for (let attempt = 1; ; attempt += 1) {
      const ending = await this.find(id, attempt);
      if (!ending) return latest;
      latest = ending;
    }
  }

  /** Stores an ending, unless the attempt has one. */
  async create(ending: LatestEnding): Promise<void> {
    await this.records.create(this.fileOf(ending.id, ending.attempt), `${JSON.stringify(toStored(ending), null, 2)}\n`);
  }

  /** Removes the endings of imports that were first requested before the day of an instant. */
  async removeBefore(instant: Date): Promise<void> {
    const first = `${this.root}/${dayOf(instant)}`;
    for await (const folder of this.days()) {
      if (folder >= first) continue;
      for (const name of await this.records.names(folder)) await this.records.remove(`${folder}/${name}`);
    }
  }

  /**
   * Lists the latest ending of each import, the newest import first.
   *
   * @param before lists only imports that are older than this import id
   */
  async *newestFirst(before: string | null): AsyncGenerator<ImportEnding> {
    const paths: string[] = [];
    const readBatchOfPaths = async (): Promise<readonly ImportEnding[]> => {
      const texts = await this.records.readAll(paths.splice(0));
      return texts.flatMap((text) => (text === null ? [] : [parseEnding(text)]));
    };
    for await (const path of this.paths(before)) {
      paths.push(path);
      if (paths.length === readBatch) yield* await readBatchOfPaths();
    }
    yield* await readBatchOfPaths();
  }

  /** Lists the paths of endings. Years, months, days and ids sort as text. */
  private async *paths(before: string | null): AsyncGenerator<string> {
    for await (const folder of this.days()) {
      if (before !== null && folder > this.folderOf(before)) continue;
      yield* this.pathsOfDay(folder, before);
    }
  }

  /** Yields the folders of days, newest first. */
  private async *days(): AsyncGenerator<string> {
    for (const year of await this.newestIn(this.root)) {
      for (const month of await this.newestIn(`${this.root}/${year}`)) {
        for (const day of await this.newestIn(`${this.root}/${year}/${month}`))
          yield `${this.root}/${year}/${month}/${day}`;
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
      yield this.fileOf(id, attempt);
    }
  }

  private async newestIn(folder: string): Promise<string[]> {
    return [...(await this.records.names(folder))].reverse();
  }

  /** Returns the folder of the day on which an import was first requested. */
  private folderOf(id: string): string {
    return `${this.root}/${dayOf(new Date(decodeTime(id)))}`;
  }

  private fileOf(id: string, attempt: number): string {
    return `${this.folderOf(id)}/${id}${attempt === 1 ? '' : `.${String(attempt)}`}.json`;
  }
}

/** Returns the day of an instant, in UTC, as the path of its folder. */
function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10).replaceAll('-', '/');
}
