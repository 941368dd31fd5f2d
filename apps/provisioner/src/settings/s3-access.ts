/** Address and credentials of an S3-compatible store: the settings `STORAGE_S3_*` or `SOURCE_S3_*`. */
export interface S3Access {
  /** URL of the store; undefined for the public service of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
}
