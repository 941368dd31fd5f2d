import type { Principal } from './principal.js';

/** The purpose of a lookup. A cached result is never used for a write. */
export type Purpose = 'read' | 'write';

/**
 * The injection token of a service's directory of keys.
 *
 * For valid and invalid keys, a lookup takes at most one indexed read or one call to the catalog, and a millisecond of
 * processor time.
 */
export abstract class KeyDirectory {
  /**
   * Returns the holder of a key; `{ kind: 'unknown' }` if the key is unknown, expired or revoked.
   *
   * @throws DependencyDownError if the store is unavailable
   */
  abstract identify(key: string, purpose: Purpose): Promise<Principal>;
}
