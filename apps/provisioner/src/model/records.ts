/** A record as the listing of its folder shows it. */
export interface ListedRecord {
  readonly name: string;
  /** Changes whenever the record is replaced. */
  readonly version: string;
}

/**
 * Small documents in storage. A path is relative to `data/`, with `/` between names. A reader sees each record either
 * completely or not at all.
 *
 * Every method throws StorageFailure if the storage fails; `failureOf` states which failures may be retried. Every
 * method may be called again after a failure. A missing record is not a failure.
 */
export abstract class Records {
  /** Returns the text of a record. @returns null if the record does not exist */
  abstract read(path: string): Promise<string | null>;

  /** Creates or replaces a record. When the promise resolves, the record survives a power failure. */
  abstract write(path: string, text: string): Promise<void>;

  /** Like {@link write}, but a power failure may lose the change. For progress that is written often. */
  abstract replace(path: string, text: string): Promise<void>;

  /**
   * Creates a record if it does not exist. Of several concurrent callers, exactly one creates the record. After a
   * failure the record may exist; a second call then returns false.
   *
   * @returns whether this call created the record
   */
  abstract create(path: string, text: string): Promise<boolean>;

  /** Removes a record. Does nothing if the record does not exist. */
  abstract remove(path: string): Promise<void>;

  /** Removes a record if `isMeant` accepts its text. Does nothing if the record does not exist. */
  abstract removeIf(path: string, isMeant: (text: string) => boolean): Promise<void>;

  /** Returns the sorted names of the records and folders directly in a folder; none if the folder does not exist. */
  abstract names(folder: string): Promise<readonly string[]>;

  /**
   * Lists the records directly in a folder without reading them; none if the folder does not exist. Returns the same
   * array as the previous call if the storage can detect that nothing has changed.
   */
  abstract list(folder: string): Promise<readonly ListedRecord[]>;

  /** Returns the texts of several records in the order of `paths`, with null for each record that does not exist. */
  abstract readAll(paths: readonly string[]): Promise<readonly (string | null)[]>;
}

/**
 * Reads and parses a JSON record.
 *
 * @returns null if the record does not exist
 * @throws SyntaxError if the record is not JSON
 */
export async function readRecord<T>(records: Records, path: string): Promise<T | null> {
  const text = await records.read(path);
  return text === null ? null : (JSON.parse(text) as T);
}
