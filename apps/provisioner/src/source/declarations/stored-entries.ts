import type * as Sqlite from 'node:sqlite';
import { algorithms } from './algorithms.js';
import type { DeclaredEntries, Entry } from './declared-entries.js';
import { DescriptorError } from './json-document.js';

/** Kibibytes of memory for pages of the database. */
const cacheKibibytes = 64 * 1024;

const columns = ['id', 'size', 'loose', 'listed', ...algorithms];

/** The number of columns before the digests. */
const facts = columns.length - algorithms.length;

const schema = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${String(cacheKibibytes)};
  create table entries (path text primary key, ${columns.join(', ')}) without rowid;
  begin`;

/**
 * Declared files in a temporary database on the disk. SQLite removes its file from the folder when it opens the file, so
 * no file remains when the process is killed.
 *
 * The key is the path, so that the files of a folder are next to each other in the database: lists and walks mostly
 * proceed folder by folder. The existing files are bits in memory, so that the comparison with the files writes nothing.
 */
export class StoredEntries implements DeclaredEntries {
  private readonly database: Sqlite.DatabaseSync;
  private readonly select: Sqlite.StatementSync;
  private readonly upsert: Sqlite.StatementSync;
  private existing = new Uint8Array(1024);
  private nextId = 0;
  private deleted = 0;

  constructor() {
    // Node before 22.5 has no such module.
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined;
    if (!sqlite) throw tooLarge('Node 22.13 or a later version is needed');
    this.database = new sqlite.DatabaseSync('');
    this.database.exec(schema);
    this.select = this.database.prepare(`select ${columns.join(', ')} from entries where path = ?`);
    this.select.setReturnArrays(true);
    const values = columns.map(() => '?').join(', ');
    this.upsert = this.database.prepare(`insert or replace into entries values (?, ${values})`);
  }

  get size(): number {
    return this.nextId - this.deleted;
  }

  get(key: string): Entry | undefined {
    const row = this.select.get(key) as readonly Sqlite.SQLOutputValue[] | undefined;
    return row && this.entryOf(row);
  }

  set(key: string, entry: Entry): void {
    const id = (entry.id ??= this.nextId++);
    if (entry.exists) this.mark(id);
    const digests = algorithms.map((algorithm) => {
      const digest = entry[algorithm];
      return digest === undefined ? null : Buffer.from(digest, 'latin1');
    });
    try {
      this.upsert.run(key, id, entry.size ?? null, entry.looseNames, entry.listed, ...digests);
    } catch (error) {
      throw tooLarge(`the temporary folder of the process has no room for them (${(error as Error).message})`, error);
    }
  }

  markExisting(_: string, entry: Entry): void {
    entry.exists = true;
    if (entry.id !== undefined) this.mark(entry.id);
  }

  delete(key: string): void {
    const { changes } = this.database.prepare('delete from entries where path = ?').run(key);
    this.deleted += Number(changes);
  }

  close(): void {
    this.database.close();
    this.existing = new Uint8Array();
  }

  *[Symbol.iterator](): Generator<readonly [string, Entry]> {
    const all = this.database.prepare(`select ${columns.join(', ')}, path from entries`);
    all.setReturnArrays(true);
    for (const row of all.iterate() as Iterable<unknown> as Iterable<readonly Sqlite.SQLOutputValue[]>)
      yield [String(row[columns.length]), this.entryOf(row)];
  }

  private entryOf(row: readonly Sqlite.SQLOutputValue[]): Entry {
    const [id, size, looseNames, listed] = row as readonly (number | null)[];
    const entry: Entry = {
      id: Number(id),
      size: size ?? undefined,
      exists: this.isMarked(Number(id)),
      looseNames: Number(looseNames),
      listed: Number(listed),
    };
    for (const [at, algorithm] of algorithms.entries()) {
      const digest = row[facts + at];
      if (ArrayBuffer.isView(digest))
        entry[algorithm] = Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1');
    }
    return entry;
  }

  private isMarked(id: number): boolean {
    return ((this.existing[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  private mark(id: number): void {
    const at = id >> 3;
    if (at >= this.existing.length) {
      const larger = new Uint8Array(Math.max(at + 1, 2 * this.existing.length));
      larger.set(this.existing);
      this.existing = larger;
    }
    this.existing[at] = (this.existing[at] ?? 0) | (1 << (id & 7));
  }
}

function tooLarge(reason: string, cause?: unknown): DescriptorError {
  const error = new DescriptorError(
    `the declared files of the dataset exceed DECLARED_MEMORY, and ${reason}`,
    'descriptor.too_large',
  );
  error.cause = cause;
  return error;
}
