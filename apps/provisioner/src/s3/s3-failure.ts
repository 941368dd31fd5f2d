/** What the operating system would say where a store answers so; the codes of failures are decided by that word. */
const wordsByStatus: Readonly<Record<number, string>> = {
  401: 'EACCES',
  403: 'EACCES',
  404: 'ENOENT',
  507: 'ENOSPC',
};

const wordsByName: Readonly<Record<string, string>> = {
  QuotaExceeded: 'EDQUOT',
  KeyTooLongError: 'ENAMETOOLONG',
};

/** A store's answer, or the lack of one, as a word and a sentence; null for an error that is not the store's. */
export function s3FailureOf(error: unknown): { readonly errno: string; readonly message: string } | null {
  if (!(error instanceof Error)) return null;
  const status = s3StatusOf(error);
  const code = (error as NodeJS.ErrnoException).code;
  if (status === undefined && code === undefined && error.name !== 'TimeoutError') return null;
  const errno = wordsByName[error.name] ?? (status === undefined ? code : wordsByStatus[status]) ?? 'EIO';
  const said = [status, error.name, error.message].filter((part) => part !== undefined && part !== '');
  return { errno, message: said.join(' ') };
}

/** The HTTP status of a store's refusal; undefined when it gave none. */
export function s3StatusOf(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}
