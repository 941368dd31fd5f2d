import type { ProblemCode } from '../../model/problem.js';
import type { ProblemList } from '../../model/problem-list.js';
import {
  SourceChangedError,
  SourceFailure,
  type SourceEntry,
  type SourcePlace,
  type SourceSystem,
  type SubmissionDescription,
} from '../../model/source-system.js';
import type { Algorithm } from './algorithms.js';
import { bagDeclaration } from './bag.js';
import type { DeclaredFacts } from './declaration-messages.js';
import { DeclarationThreadError, type DeclarationThreads, type LentThread } from './declaration-threads.js';
import { deniedProblem } from '../denied-problem.js';
import { DeclaredChecksums } from './declared-checksums.js';
import { isBagFile, maxBytesOf } from './descriptors.js';

/** Bytes that are read of a descriptor at a time. */
const pieceBytes = 256 * 1024;

/** Bytes of all descriptors above which a place counts as large. Smaller descriptors need up to 100 MB of memory. */
const largeBytes = 16 * 1024 * 1024;

/** The declarations of a place after they were compared with its files. */
export interface Declared {
  readonly title: string | null;
  /** The description of a submission; null if there is no readable one. */
  readonly description: SubmissionDescription | null;
  /** Algorithms of the declared checksums. */
  readonly algorithms: readonly Algorithm[];
  /** The declared checksums; none if only the other members were requested. */
  readonly checksums: DeclaredChecksums;
  /** The number of missing declared files. */
  readonly missing: number;
  readonly isBag: boolean;
  readonly oxum: { readonly bytes: number; readonly files: number } | null;
  readonly count: number;
}

/** Reads the entries of a place, some hundred at a time. */
export type Entries = () => AsyncIterable<readonly SourceEntry[]>;

/** The place whose declarations are read. */
export interface DeclaringPlace {
  readonly source: SourceSystem;
  readonly place: SourcePlace;
  /** The descriptors by name: the files at the top that pass `couldDescribe`. */
  readonly topFiles: readonly SourceEntry[];
  /** All entries of the place. */
  readonly entries: Entries;
}

/**
 * Reads every descriptor of a place in a thread, and compares the files of the place with the declared files.
 *
 * @param problems receives the problems of the descriptors and of the files
 * @param keepsChecksums whether the declared checksums are returned, which takes their memory
 */
export async function readDeclarations(
  threads: DeclarationThreads,
  declaring: DeclaringPlace,
  problems: ProblemList,
  keepsChecksums: boolean,
): Promise<Declared> {
  const { topFiles } = declaring;
  if (topFiles.length === 0) return nothingDeclared();
  const reading = new Reading(declaring, problems);
  const bytes = topFiles.reduce((sum, { path, size }) => sum + (size > maxBytesOf(path) ? 0 : size), 0);
  try {
    return await threads.use((thread) => reading.run(thread, keepsChecksums), bytes > largeBytes);
  } catch (error) {
    if (!(error instanceof DeclarationThreadError)) throw error;
    const [{ path: first }] = topFiles as readonly [SourceEntry];
    const path = reading.current ?? first;
    problems.add({ code: 'descriptor.too_large', path, message: `${path} cannot be used: ${error.message}.` });
    return nothingDeclared();
  }
}

function nothingDeclared(): Declared {
  return {
    ...{ title: null, description: null, algorithms: [], checksums: new DeclaredChecksums(null) },
    ...{ missing: 0, isBag: false, oxum: null, count: 0 },
  };
}

/** One reading of the descriptors of a place. */
class Reading {
  /** The descriptor that is being read; null before the first. */
  current: string | null = null;

  constructor(
    private readonly declaring: DeclaringPlace,
    private readonly problems: ProblemList,
  ) {}

  async run(thread: LentThread, keepsChecksums: boolean): Promise<Declared> {
    const facts = await this.readAll(thread);
    if (facts.count > 0) await this.compare(thread);
    const { missing, counts } = await thread.request('finish', {});
    await this.collectProblems(thread, counts);
    const { title, description, algorithms, isBag, oxum, count } = facts;
    const checksums = new DeclaredChecksums(keepsChecksums && algorithms.length > 0 ? thread.keep() : null);
    return { title, description, algorithms, checksums, missing, isBag, oxum, count };
  }

  private async readAll(thread: LentThread): Promise<DeclaredFacts> {
    const { topFiles } = this.declaring;
    const isBag = topFiles.some(({ path }) => path === bagDeclaration);
    const others = topFiles.filter(({ path }) => path !== bagDeclaration && !isBagFile(path));
    const read: string[] = [];
    for (const file of isBag ? [...others, ...topFiles.filter(({ path }) => isBagFile(path))] : others)
      if (await this.isRead(thread, file)) read.push(file.path);
    return thread.request('conclude', { bag: isBag ? read : null });
  }

  /** Reads a descriptor. An unreadable descriptor is a problem. */
  private async isRead(thread: LentThread, file: SourceEntry): Promise<boolean> {
    const { path } = file;
    this.current = path;
    const refuse = async (code: ProblemCode, message: string): Promise<boolean> => {
      await thread.request('refuse', { problem: { code, path, message } });
      return false;
    };
    const maxBytes = maxBytesOf(path);
    if (file.size > maxBytes)
      return refuse(
        'descriptor.too_large',
        `${path} cannot be used: it is larger than ${mebibytes(maxBytes)}. Deliver a smaller one; a checksum list may have any size.`,
      );
    try {
      return await this.send(thread, file);
    } catch (error) {
      if (error instanceof SourceChangedError)
        return refuse(
          'descriptor.invalid',
          `${path} cannot be used: it changed while it was read. Import the dataset after the delivery is complete.`,
        );
      if (error instanceof SourceFailure && ['EACCES', 'EPERM'].includes(error.errno ?? ''))
        return refuse('source.denied', deniedProblem(path).message);
      throw error;
    }
  }

  private async send(thread: LentThread, file: SourceEntry): Promise<boolean> {
    const { source, place } = this.declaring;
    await thread.request('open', { name: file.path });
    const buffer = Buffer.allocUnsafe(Math.min(file.size + 1, pieceBytes));
    for await (const read of source.open(place, file, () => Promise.resolve(buffer))) {
      // The copy is transferred to the thread, so that the buffer can be used again.
      const bytes = Uint8Array.from(read);
      if (!(await thread.request('write', { bytes }, [bytes.buffer]))) return false;
    }
    return thread.request('end', {});
  }

  private async compare(thread: LentThread): Promise<void> {
    for await (const entries of this.declaring.entries()) {
      const files = entries.filter(({ type }) => type === 'file');
      await thread.request('compare', { paths: files.map(({ path }) => path), sizes: files.map(({ size }) => size) });
    }
  }

  private async collectProblems(
    thread: LentThread,
    counts: readonly (readonly [ProblemCode, number])[],
  ): Promise<void> {
    for (const [code, count] of counts) this.problems.countOnly(code, count);
    if (counts.length === 0) return;
    for (let page = await thread.request('problems', {}); page.length > 0; page = await thread.request('problems', {}))
      for (const problem of page) this.problems.name(problem);
  }
}

function mebibytes(bytes: number): string {
  return `${String(bytes / 1024 / 1024)} MiB`;
}
