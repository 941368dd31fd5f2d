import type { SoftwareAgent } from '../process/software-agent.js';
import type { SubjectKind } from './identifier.js';

/** The document whose existence in storage means that a dataset or collection is imported. */
export interface Commit {
  readonly schema: 'provisioner-commit/1';
  readonly kind: SubjectKind;
  readonly id: string;
  readonly import_id: string;
  readonly attempt: number;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly started_at: string;
  /** When it was published. */
  readonly imported_at: string;
  readonly source: {
    readonly submission: string;
    /** Folders below the source's root. */
    readonly locator: string;
    readonly fingerprint: string;
  };
  readonly content: {
    readonly files: number;
    readonly folders: number;
    readonly bytes: number;
    /** SHA-256 of `files.ndjson`, hexadecimal. */
    readonly list_sha256: string;
    /** SHA-256 of `manifest-sha256.txt`, hexadecimal. */
    readonly manifest_sha256: string;
  };
  /** Algorithms whose declared checksums were compared. */
  readonly declared: readonly string[];
  /** The datasets that a collection claims; only for submissions. */
  readonly members?: readonly string[];
  /** What the submission says of itself; only for submissions. */
  readonly description?: Readonly<Record<string, string | null>>;
  /** Which software made it. */
  readonly agent: SoftwareAgent;
}

/** What lists show of a commit; kept in memory for every commit there is. */
export interface CommitHead {
  readonly id: string;
  readonly import_id: string;
  readonly imported_at: string;
  readonly submission: string;
  readonly fingerprint: string;
  readonly files: number;
  readonly bytes: number;
}

/** The heads of all commits of one kind. */
export interface CommitHeads {
  readonly byId: ReadonlyMap<string, CommitHead>;
  /** Another text as soon as a commit came, went or is another. */
  readonly version: string;
  /** The id of one that differs from this by case only. */
  caseVariantOf(id: string): string | undefined;
}

/** The commit that a record's text is, or null when it is none: whatever it is then, no import of ours has put it there. */
export function parseCommit(text: string): Commit | null {
  try {
    const commit = JSON.parse(text) as Partial<Commit> | null;
    const isCommit =
      typeof commit?.id === 'string' &&
      typeof commit.import_id === 'string' &&
      typeof commit.source?.fingerprint === 'string' &&
      typeof commit.content?.bytes === 'number';
    return isCommit ? (commit as Commit) : null;
  } catch {
    return null;
  }
}

export function headOf({ id, import_id, imported_at, source, content }: Commit): CommitHead {
  const { submission, fingerprint } = source;
  const { files, bytes } = content;
  return { id, import_id, imported_at, submission, fingerprint, files, bytes };
}

/** What an attempt is published with; the rest is known to whoever wrote the files. */
export type CommitDraft = Omit<Commit, 'content' | 'schema'> & {
  readonly content: Pick<Commit['content'], 'files' | 'folders' | 'bytes'>;
};

/** One line of `files.ndjson`: a file, folder or symbolic link as it was imported. */
export interface FileRecord {
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly size: number;
  /** Modification time in nanoseconds since 1970, as text. */
  readonly mtime_ns: string;
  /** The source's permission bits, octal; recorded, not applied. */
  readonly source_mode: string;
  /** Hexadecimal; only for files. */
  readonly sha256?: string;
  /** Where a symbolic link leads; only for those. */
  readonly target?: string;
  /** Digests that the source declared, all of which were compared. */
  readonly declared?: Readonly<Record<string, string>>;
}
