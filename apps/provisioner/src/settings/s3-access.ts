/** The address and credentials of an S3-compatible store, from the settings `STORAGE_S3_*` or `SOURCE_S3_*`. */
export interface S3Access {
  /** The URL of the store; undefined for the public AWS endpoint of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
}
