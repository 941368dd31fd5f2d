import { ImportFailure } from '../model/failure.js';
import type { ImportRequest } from '../model/import-record.js';
import { isRejectedAs, type RequestLog } from '../model/request-log.js';

/**
 * Returns the failure of the latest import of a subject if that import was rejected in the present state of its delivery.
 *
 * @param rejectionKey the key of the present state
 */
export async function findRejection(
  log: RequestLog,
  { kind, subject }: ImportRequest,
  rejectionKey: string,
): Promise<ImportFailure | null> {
  const last = await log.findLastFailure(kind, subject.id);
  if (!last?.error || !isRejectedAs(last, rejectionKey)) return null;
  const { code, message, counts } = last.error;
  const ending = (await log.find(last.id))?.ending;
  return new ImportFailure(code, message, ending?.files ?? [], undefined, counts);
}
