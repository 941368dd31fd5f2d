import type { Principal } from './principal.js';

/**
 * Where keys are known. The injection token of whatever each service knows keys by.
 *
 * A lookup costs at most one indexed read and never more than a millisecond of CPU, for good and bad keys alike.
 */
export abstract class KeyDirectory {
  /**
   * Who holds this key; `{ kind: 'unknown' }` when it is not known here, or not any more.
   *
   * @throws DependencyDownError when the store cannot be asked. That is never "unknown".
   */
  abstract identify(key: string): Promise<Principal>;
}
