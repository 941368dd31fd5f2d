/** A record as a listing of its folder tells it. */
export interface ListedRecord {
  readonly name: string;
  /** Another text as soon as the record is another. */
  readonly version: string;
}

/**
 * Small documents of ours in storage, by path below `data/`, with `/` between names. Each is there whole or not at all.
 * Failures are thrown as StorageFailure.
 */
export abstract class Records {
  /** The text of a record, or null when there is none. */
  abstract read(path: string): Promise<string | null>;

  /** Writes a record in place of what may be there; it survives a loss of power. */
  abstract write(path: string, text: string): Promise<void>;

  /** The same for what may be lost when the power fails: progress that is written every second. */
  abstract replace(path: string, text: string): Promise<void>;

  /** Writes a record unless there is one. @returns whether it was this call; of several callers exactly one is told so */
  abstract create(path: string, text: string): Promise<boolean>;

  /** Removes a record; harmless when there is none. */
  abstract remove(path: string): Promise<void>;

  /** Removes a record whose text is the one meant; what another has written in its place stays. */
  abstract removeIf(path: string, isMeant: (text: string) => boolean): Promise<void>;

  /** The names of what is directly in a folder, records and folders, sorted. */
  abstract names(folder: string): Promise<readonly string[]>;

  /** The records directly in a folder, without opening any; the very same array as long as nothing is known to differ. */
  abstract list(folder: string): Promise<readonly ListedRecord[]>;

  /** The texts of many records, in their order; null where there is none. */
  abstract readAll(paths: readonly string[]): Promise<readonly (string | null)[]>;
}

/** The JSON that a record holds, or null when there is none. */
export async function readRecord<T>(records: Records, path: string): Promise<T | null> {
  const text = await records.read(path);
  return text === null ? null : (JSON.parse(text) as T);
}
