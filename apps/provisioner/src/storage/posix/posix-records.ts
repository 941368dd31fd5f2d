import { mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Records } from '../records.js';
import {
  createExclusively,
  guarded,
  ignoring,
  removeFile,
  replaceFile,
  temporaryEnding,
  workFolderMode,
  writeDurably,
} from './durable-file.js';
import { Layout } from '../layout.js';

/** Records as small files. */
export class PosixRecords extends Records {
  private readonly data: string;

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
    return guarded(() => writeDurably(join(this.data, path), text));
  }

  override replace(path: string, text: string): Promise<void> {
    return guarded(async () => {
      const file = join(this.data, path);
      await mkdir(dirname(file), { recursive: true, mode: workFolderMode });
      await replaceFile(file, text);
    });
  }

  override create(path: string, text: string): Promise<boolean> {
    return guarded(() => createExclusively(join(this.data, path), text));
  }

  override async remove(path: string): Promise<void> {
    await guarded(() => removeFile(join(this.data, path)));
  }

  /** What is being written aside is not among them. */
  override names(folder: string): Promise<readonly string[]> {
    return guarded(async () => {
      const names = (await ignoring(['ENOENT'], readdir(join(this.data, folder)))) ?? [];
      return names.filter((name) => !name.endsWith(temporaryEnding)).sort();
    });
  }
}
