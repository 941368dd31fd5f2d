import { userInfo } from 'node:os';
import type { RequestOptions } from '../imports/import-requests.js';

/** Returns the requester that is recorded for imports from the command line: the account of the operating system. */
export function commandRequester(): Pick<RequestOptions, 'requested_by' | 'requested_from'> {
  return { requested_by: `command line: ${accountName()}`, requested_from: 'command line' };
}

/** Returns the name of the account. In a container, the account may have no name; then returns its number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${String(process.getuid?.() ?? '?')}`;
  }
}
