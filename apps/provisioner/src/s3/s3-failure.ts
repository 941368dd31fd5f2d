/** Error codes of the operating system by HTTP status. Failure codes are derived from them. */
const errnoByStatus: Readonly<Record<number, string>> = {
  401: 'EACCES',
  403: 'EACCES',
  404: 'ENOENT',
  507: 'ENOSPC',
};

const errnoByName: Readonly<Record<string, string>> = {
  QuotaExceeded: 'EDQUOT',
  KeyTooLongError: 'ENAMETOOLONG',
};

/** Returns a store's error as an error code and a message; null if the error is not from a store. */
export function s3FailureOf(error: unknown): { readonly errno: string; readonly message: string } | null {
  if (!(error instanceof Error)) return null;
  const status = s3StatusOf(error);
  const code = (error as NodeJS.ErrnoException).code;
  if (status === undefined && code === undefined && error.name !== 'TimeoutError') return null;
  const errno = errnoByName[error.name] ?? (status === undefined ? code : errnoByStatus[status]) ?? 'EIO';
  const parts = [status, error.name, error.message].filter((part) => part !== undefined && part !== '');
  return { errno, message: parts.join(' ') };
}

/** Returns the HTTP status of a store's error; undefined if there is none. */
export function s3StatusOf(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}
