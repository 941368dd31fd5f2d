import { lstatSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { stateOfFolder } from '../../posix/folder-state.js';
import { readSmallFiles } from './small-files.js';
import { Records, type ListedRecord } from '../../model/records.js';
import {
  createExclusively,
  guarded,
  ignoring,
  removeFile,
  removeFileIf,
  replaceFile,
  temporaryEnding,
  workFolderMode,
  writeDurably,
} from './durable-file.js';
import { Layout } from '../../model/layout.js';

/** Files to inspect before the event loop may run other work. */
const filesPerTick = 1_000;

/** Records as small files. */
export class PosixRecords extends Records {
  private readonly data: string;
  private readonly lists = new Map<string, { readonly state: string; readonly list: readonly ListedRecord[] }>();

  constructor(storageRoot: string) {
    super();
    this.data = new Layout(storageRoot).data;
  }

  override read(path: string): Promise<string | null> {
    return guarded(
      async () => (await ignoring(['ENOENT', 'ENOTDIR'], readFile(join(this.data, path), 'utf8'))) ?? null,
    );
  }

  override write(path: string, text: string): Promise<void> {
    return guarded(async () => writeDurably(await this.prepare(path), text));
  }

  override replace(path: string, text: string): Promise<void> {
    return guarded(async () => replaceFile(await this.prepare(path), text));
  }

  override create(path: string, text: string): Promise<boolean> {
    return guarded(async () => createExclusively(await this.prepare(path), text));
  }

  override async remove(path: string): Promise<void> {
    await guarded(() => removeFile(join(this.data, path)));
  }

  override async removeIf(path: string, matches: (text: string) => boolean): Promise<void> {
    await guarded(() => removeFileIf(join(this.data, path), matches));
  }

  /** Temporary files are left out. */
  override names(folder: string): Promise<readonly string[]> {
    return guarded(async () => {
      const names = (await ignoring(['ENOENT'], readdir(join(this.data, folder)))) ?? [];
      return names.filter((name) => !name.endsWith(temporaryEnding)).sort();
    });
  }

  override list(folder: string): Promise<readonly ListedRecord[]> {
    return guarded(async () => {
      const state = await stateOfFolder(join(this.data, folder));
      const cached = this.lists.get(folder);
      if (cached && cached.state === state) return cached.list;
      const list = await this.readList(folder);
      if (state !== null) this.lists.set(folder, { state, list });
      return list;
    });
  }

  override readAll(paths: readonly string[]): Promise<readonly (string | null)[]> {
    return guarded(async () => {
      const texts: (string | null)[] = paths.map(() => null);
      await readSmallFiles(
        paths.map((path) => join(this.data, path)),
        (index, text) => {
          texts[index] = text;
        },
      );
      return texts;
    });
  }

  /** Creates the folder of a record. @returns the record's path in the file system */
  private async prepare(path: string): Promise<string> {
    const file = join(this.data, path);
    await mkdir(dirname(file), { recursive: true, mode: workFolderMode });
    return file;
  }

  private async readList(folder: string): Promise<ListedRecord[]> {
    const list: ListedRecord[] = [];
    for (const name of await this.names(folder)) {
      const stats = lstatSync(join(this.data, folder, name), { bigint: true, throwIfNoEntry: false });
      if (stats) list.push({ name, version: `${String(stats.ino)}:${String(stats.mtimeNs)}` });
      if (list.length % filesPerTick === 0) await setImmediate();
    }
    return list;
  }
}
