import type { Principal } from './principal.js';

/** The purpose of a question about a caller: a write is never decided by an answer that was kept from before. */
export type Purpose = 'read' | 'write';

/**
 * The keys that a service knows: the injection token of the directory of each service.
 *
 * A lookup costs at most one indexed read, or one call to the catalog, and at most a millisecond of CPU, for good and
 * bad keys alike.
 */
export abstract class KeyDirectory {
  /**
   * Returns the holder of a key; `{ kind: 'unknown' }` if the key is not known here, has ended or was revoked.
   *
   * @throws DependencyDownError if the store does not answer, which never counts as "unknown"
   */
  abstract identify(key: string, purpose: Purpose): Promise<Principal>;
}
