import { equalSecrets } from './key-hash.js';

/** A global key shorter than this earns a warning at every start. */
const advisedGlobalKeyLength = 32;

/**
 * Knows the one key of the setting `GLOBAL_API_KEY`. Unset or empty: no such key exists. Space around it, such as the line
 * end of a file that a secret was made of, is no part of it: no header could carry it.
 */
export class GlobalKey {
  private readonly key: string | undefined;

  constructor(key: string | undefined) {
    this.key = key?.trim();
  }

  matches(presented: string): boolean {
    return this.key !== undefined && this.key !== '' && equalSecrets(this.key, presented);
  }

  /** What an operator should be told about the key at start, or null. */
  get warning(): string | null {
    if (!this.key) return 'GLOBAL_API_KEY is not set: nobody can write or administrate with a key.';
    if (this.key.length >= advisedGlobalKeyLength) return null;
    return `GLOBAL_API_KEY has ${String(this.key.length)} characters; use at least ${String(advisedGlobalKeyLength)}.`;
  }
}
