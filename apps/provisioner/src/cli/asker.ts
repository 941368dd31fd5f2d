import { userInfo } from 'node:os';
import type { RequestOptions } from '../imports/import-requests.js';

/** Who works at the command line, as it is kept with the import: an account of the operating system. */
export function commandRequester(): Pick<RequestOptions, 'requested_by' | 'requested_from'> {
  return { requested_by: `command line: ${accountName()}`, requested_from: 'command line' };
}

/** A container's account need not have a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${String(process.getuid?.() ?? '?')}`;
  }
}
