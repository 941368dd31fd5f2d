/** Why something in the source cannot be imported as it is. All of them are the source's to mend. */
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
  | 'source.changed'
  | 'source.denied';

/** One thing that is wrong with a delivery. */
export interface Problem {
  readonly code: ProblemCode;
  /** For the person who delivers: what is wrong. */
  readonly message: string;
  /** The file or folder, relative to the dataset's or submission's folder. */
  readonly path?: string;
}
