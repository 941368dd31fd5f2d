import type { SoftwareAgent } from '../process/software-agent.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { SubjectKind } from './identifier.js';
import type { Integrity } from './integrity.js';
import type { IndexedRecords } from './record-index.js';

/** The commit record of a subject. A dataset or collection is imported if and only if its commit record exists. */
export interface Commit {
  readonly schema: 'provisioner-commit/1';
  readonly kind: SubjectKind;
  readonly id: string;
  readonly import_id: string;
  readonly attempt: number;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly started_at: string;
  /** The time of the publication. */
  readonly imported_at: string;
  readonly source: {
    readonly submission: string;
    /** The path below the root of the source. */
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
    /** The SHA-256 of each further manifest, by its algorithm. Absent if there is none. */
    readonly manifests?: Readonly<Partial<Record<ManifestAlgorithm, string>>>;
  };
  /** The algorithms of the declared checksums that were compared. */
  readonly declared: readonly string[];
  /** The comparison with the declared checksums. Commits of earlier releases do not contain it. */
  readonly integrity?: Integrity;
  /** The ids of the datasets of a collection; only for submissions. */
  readonly members?: readonly string[];
  /** The fields of the submission's `submission.json`; only for submissions. */
  readonly description?: Readonly<Record<string, string | null>>;
  /** The software that wrote the record. */
  readonly agent: SoftwareAgent;
}

/** The part of a commit that lists show. The heads of all commits are kept in memory. */
export interface CommitHead {
  readonly id: string;
  readonly import_id: string;
  readonly imported_at: string;
  readonly submission: string;
  readonly fingerprint: string;
  readonly files: number;
  readonly bytes: number;
  readonly integrity: Integrity | null;
  /** The fields of `submission.json`; null for a dataset, and for a submission without the file. */
  readonly description: Commit['description'] | null;
}

/** The heads of all commits of one kind. */
export type CommitHeads = Pick<IndexedRecords<CommitHead>, 'bySubject' | 'version' | 'caseVariantOf'>;

/** Parses a commit record. @returns null if the text is not a commit record, and so was not written by an import */
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

export function headOf(commit: Commit): CommitHead {
  const { id, import_id, imported_at, source, content, integrity = null, description = null } = commit;
  const { submission, fingerprint } = source;
  const { files, bytes } = content;
  return { id, import_id, imported_at, submission, fingerprint, files, bytes, integrity, description };
}

/** The part of a commit that the caller of `publish` supplies. The attempt adds the digests of its lists. */
export type CommitDraft = Omit<Commit, 'content' | 'schema'> & {
  readonly content: Pick<Commit['content'], 'files' | 'folders' | 'bytes'>;
};

/** One line of `files.ndjson`: an imported file, folder or symbolic link. */
export interface FileRecord {
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly size: number;
  /** Modification time in nanoseconds since 1970, as text. */
  readonly mtime_ns: string;
  /** The permission bits in the source, octal. They are recorded but not applied. */
  readonly source_mode: string;
  /** The SHA-256 of the content, hexadecimal; only for files. */
  readonly sha256?: string;
  /** The digests of the further manifests, hexadecimal, by algorithm. Absent if there is none. */
  readonly digests?: Readonly<Partial<Record<ManifestAlgorithm, string>>>;
  /** The target of a symbolic link; only for symbolic links. */
  readonly target?: string;
  /** The digests that the source declared, by algorithm. All were compared. */
  readonly declared?: Readonly<Record<string, string>>;
}
