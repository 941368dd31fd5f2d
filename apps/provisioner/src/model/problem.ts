/** The reasons why a delivery cannot be imported. The submitter can fix all of them in the source. */
export type ProblemCode =
  | 'id.invalid'
  | 'id.duplicate'
  | 'descriptor.invalid'
  | 'descriptor.too_large'
  | 'name.reserved'
  | 'name.not_utf8'
  | 'name.invalid'
  | 'name.too_long'
  | 'name.collision'
  | 'name.unsafe'
  | 'file.symlink'
  | 'file.special'
  | 'file.hard_link'
  | 'file.missing'
  | 'file.unlisted'
  | 'size.mismatch'
  | 'checksum.mismatch'
  | 'checksum.not_compared'
  | 'checksum.undeclared'
  | 'source.changed'
  | 'source.denied';

/** A problem of a delivery. */
export interface Problem {
  readonly code: ProblemCode;
  /** A description of the problem for the submitter. */
  readonly message: string;
  /** The affected file or folder, relative to the folder of the dataset or submission. */
  readonly path?: string;
}
