import type { SubjectKind } from '../source/identifier.js';

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
  readonly agent: { readonly service: string; readonly node: string };
}

/** What an attempt is published with; the rest is known to whoever wrote the files. */
export type CommitDraft = Omit<Commit, 'content' | 'schema'> & {
  readonly content: Pick<Commit['content'], 'files' | 'folders' | 'bytes'>;
};

/** One line of `files.ndjson`: a file or folder as it was imported. */
export interface FileRecord {
  readonly path: string;
  readonly type: 'file' | 'directory';
  readonly size: number;
  /** Modification time in nanoseconds since 1970, as text. */
  readonly mtime_ns: string;
  /** The source's permission bits, octal; recorded, not applied. */
  readonly source_mode: string;
  /** Hexadecimal; only for files. */
  readonly sha256?: string;
  /** Digests that the source declared, all of which were compared. */
  readonly declared?: Readonly<Record<string, string>>;
}
