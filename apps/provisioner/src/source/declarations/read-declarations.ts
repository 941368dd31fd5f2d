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
import { DeclarationThreadError, type DeclarationThreads, type LentThread } from './declaration-threads.js';
import { deniedProblem } from '../denied-problem.js';
import { DeclaredChecksums } from './declared-checksums.js';
import { maxBytesOf, type DescriptorOrder } from './descriptors.js';
import { submissionFile } from './submission-file.js';
import type { WalkedDescriptors } from '../walked-descriptors.js';

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
  /** The number of existing files with a declared checksum. */
  readonly compared: number;
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
  readonly descriptors: WalkedDescriptors;
  /** All entries of the place. */
  readonly entries: Entries;
}

/** Receivers of the problems of descriptors and files: those that refuse the place, and those that are only reported. */
export interface DeclarationReport {
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
}

/**
 * Reads every descriptor of a place in a thread, and compares the files of the place with the declared files.
 *
 * @param keepsChecksums whether the declared checksums are returned, which takes their memory
 */
export async function readDeclarations(
  threads: DeclarationThreads,
  declaring: DeclaringPlace,
  report: DeclarationReport,
  keepsChecksums: boolean,
): Promise<Declared> {
  const { descriptors } = declaring;
  if (descriptors.count === 0) return nothingDeclared();
  const reading = new Reading(declaring, report);
  try {
    return await threads.use((thread) => reading.run(thread, keepsChecksums), descriptors.bytes > largeBytes);
  } catch (error) {
    if (!(error instanceof DeclarationThreadError)) throw error;
    const path = reading.current ?? descriptors.first ?? '';
    const message = `${path} cannot be used: ${error.message}.`;
    report.problems.add({ code: 'descriptor.too_large', path, message });
    return nothingDeclared();
  } finally {
    descriptors.release();
  }
}

function nothingDeclared(): Declared {
  return {
    ...{ title: null, description: null, algorithms: [], checksums: new DeclaredChecksums(null) },
    ...{ missing: 0, compared: 0, isBag: false, oxum: null, count: 0 },
  };
}

/** One reading of the descriptors of a place. */
class Reading {
  /** The descriptor that is being read; null before the first. */
  current: string | null = null;

  constructor(
    private readonly declaring: DeclaringPlace,
    private readonly report: DeclarationReport,
  ) {}

  async run(thread: LentThread, keepsChecksums: boolean): Promise<Declared> {
    await this.readAll(thread);
    const { count, ...facts } = await thread.request('conclude', {});
    if (count > 0) await this.compare(thread);
    const { missing, compared, counts } = await thread.request('finish', {});
    await this.collectProblems(thread, counts);
    const checksums = new DeclaredChecksums(keepsChecksums && facts.algorithms.length > 0 ? thread.keep() : null);
    return { ...facts, count, checksums, missing, compared };
  }

  /** Reads the declaration of a bag first, because it states the encoding of the others. */
  private async readAll(thread: LentThread): Promise<void> {
    const { place, descriptors } = this.declaring;
    const { bagDeclaration, submission } = descriptors;
    if (bagDeclaration) await this.read(thread, place, bagDeclaration, { path: bagDeclaration.path });
    const documents = place.kind === 'submission' ? await this.documents() : [];
    for await (const files of descriptors.read())
      for (const file of files) {
        const { path } = file;
        if (path === bagDeclaration?.path) continue;
        const isOfDocuments = place.kind === 'submission' && path !== submissionFile;
        const order = { path, ...(isOfDocuments && { submission: { dataset: null, documents } }) };
        await this.read(thread, place, file, order);
      }
    const above = { kind: 'submission', submission: place.submission, id: place.submission } as const;
    for (const file of submission.lists) {
      const scope = { dataset: place.id, documents: submission.documents };
      await this.read(thread, above, file, { path: `../${file.path}`, submission: scope });
    }
  }

  /** Returns the paths of the documents of a submission. */
  private async documents(): Promise<readonly string[]> {
    const paths: string[] = [];
    for await (const entries of this.declaring.entries()) paths.push(...entries.map(({ path }) => path));
    return paths;
  }

  /** Reads a descriptor if its content is needed. An unreadable descriptor is a problem. */
  private async read(thread: LentThread, place: SourcePlace, file: SourceEntry, order: DescriptorOrder): Promise<void> {
    const { path } = order;
    this.current = path;
    if (!(await thread.request('open', order))) return;
    const refuse = async (code: ProblemCode, message: string): Promise<void> => {
      await thread.request('refuse', { problem: { code, path, message } });
    };
    const maxBytes = maxBytesOf(path);
    if (file.size > maxBytes) {
      await refuse(
        'descriptor.too_large',
        `${path} cannot be used: it is larger than ${mebibytes(maxBytes)}. Deliver a smaller one; a checksum list may have any size.`,
      );
      return;
    }
    try {
      await this.send(thread, place, file);
    } catch (error) {
      if (error instanceof SourceChangedError)
        await refuse(
          'descriptor.invalid',
          `${path} cannot be used: it changed while it was read. Import the dataset after the delivery is complete.`,
        );
      else if (error instanceof SourceFailure && ['EACCES', 'EPERM'].includes(error.errno ?? ''))
        await refuse('source.denied', deniedProblem(path).message);
      else throw error;
    }
  }

  private async send(thread: LentThread, place: SourcePlace, file: SourceEntry): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(file.size + 1, pieceBytes));
    for await (const read of this.declaring.source.open(place, file, () => Promise.resolve(buffer))) {
      // The copy is transferred to the thread, so that the buffer can be used again.
      const bytes = Uint8Array.from(read);
      if (!(await thread.request('write', { bytes }, [bytes.buffer]))) return;
    }
    await thread.request('end', {});
  }

  private async compare(thread: LentThread): Promise<void> {
    for await (const files of this.files())
      await thread.request('compare', { paths: files.map(({ path }) => path), sizes: files.map(({ size }) => size) });
    if (!(await thread.request('searchMissing', {}))) return;
    for await (const files of this.files()) await thread.request('match', { paths: files.map(({ path }) => path) });
  }

  private async *files(): AsyncGenerator<readonly SourceEntry[]> {
    for await (const entries of this.declaring.entries()) yield entries.filter(({ type }) => type === 'file');
  }

  private async collectProblems(
    thread: LentThread,
    counts: readonly (readonly [ProblemCode, number])[],
  ): Promise<void> {
    for (const [code, count] of counts) this.listOf(code).countOnly(code, count);
    if (counts.length === 0) return;
    for (let page = await thread.request('problems', {}); page.length > 0; page = await thread.request('problems', {}))
      for (const problem of page) this.listOf(problem.code).name(problem);
  }

  private listOf(code: ProblemCode): ProblemList {
    return code === 'checksum.not_compared' ? this.report.warnings : this.report.problems;
  }
}

function mebibytes(bytes: number): string {
  return `${String(bytes / 1024 / 1024)} MiB`;
}
