import { createHash } from 'node:crypto';
import { bagDeclaration } from './declarations/bag/bag-names.js';
import { couldDescribe, maxBytesOf } from './declarations/descriptors.js';
import type { SourceEntry, SourcePlace } from '../model/source-system.js';
import { WalkedEntries } from './walked-entries.js';

/** The lists at the top of a submission and its documents, which apply to its datasets. */
export interface SubmissionFiles {
  /** The documents whose name is or looks like that of a checksum list. */
  readonly lists: readonly SourceEntry[];
  /** The paths of all documents. */
  readonly documents: readonly string[];
}

/** The descriptors that a walk of a place found, and the lists of its submission. */
export class WalkedDescriptors {
  count: number;
  /** The path of the first descriptor; null if there is none. */
  first: string | null = null;
  /** The bytes of the descriptors that are read. */
  bytes = 0;
  /** The file that declares the dataset to be a bag. */
  bagDeclaration: SourceEntry | null = null;
  private readonly entries: WalkedEntries;
  private readonly versions = createHash('sha256');

  /** @param walkAgain returns the entries of the place from the source */
  constructor(
    private readonly place: SourcePlace,
    walkAgain: () => AsyncIterable<readonly SourceEntry[]>,
    readonly submission: SubmissionFiles = { lists: [], documents: [] },
  ) {
    const filter = (entries: readonly SourceEntry[]): readonly SourceEntry[] => this.descriptorsIn(entries);
    this.entries = new WalkedEntries(async function* () {
      for await (const entries of walkAgain()) yield filter(entries);
    });
    this.count = submission.lists.length;
    for (const list of submission.lists) this.register(list);
  }

  /** Adds the descriptors among entries of the walk. */
  add(entries: readonly SourceEntry[]): void {
    const found = this.descriptorsIn(entries);
    this.entries.add(found);
    this.count += found.length;
    for (const entry of found) {
      this.register(entry);
      if (entry.path === bagDeclaration) this.bagDeclaration = entry;
    }
  }

  /** Returns the descriptors of the place, some hundred at a time. */
  read(): AsyncIterable<readonly SourceEntry[]> {
    return this.entries.read();
  }

  /** Returns a digest that differs if a descriptor was replaced or changed. To be called once. */
  version(): string {
    return this.versions.digest('base64url');
  }

  /** Frees the memory of the descriptors. Later reads walk the source again. */
  release(): void {
    this.entries.release();
  }

  private register({ path, size, version }: SourceEntry): void {
    this.first ??= path;
    this.versions.update(`${path}\0${version}\n`);
    if (size <= maxBytesOf(path)) this.bytes += size;
  }

  private descriptorsIn(entries: readonly SourceEntry[]): readonly SourceEntry[] {
    return entries.filter(({ type, path }) => type === 'file' && couldDescribe(this.place, path));
  }
}
