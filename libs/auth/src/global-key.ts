import { equalSecrets } from './key-hash.js';

/** The length below which a global key causes a warning at every start. */
const advisedGlobalKeyLength = 32;

/**
 * The key of the setting `GLOBAL_API_KEY`, and the former one while it is rotated. Unset or empty: no such key exists.
 * White space around a key, such as the line end of a file that a secret was made of, is no part of the key, because no
 * header could carry it.
 */
export class GlobalKey {
  private readonly key: string;
  private readonly previous: string;

  /** @param settings the keys as an operator sets them */
  constructor(settings: { readonly GLOBAL_API_KEY?: string; readonly GLOBAL_API_KEY_PREVIOUS?: string }) {
    this.key = settings.GLOBAL_API_KEY?.trim() ?? '';
    this.previous = settings.GLOBAL_API_KEY_PREVIOUS?.trim() ?? '';
  }

  matches(presented: string): boolean {
    // Both comparisons always run, so that the time does not tell which key came.
    const isCurrent = equalSecrets(this.key, presented);
    const isPrevious = equalSecrets(this.previous, presented);
    return (this.key !== '' && isCurrent) || (this.previous !== '' && isPrevious);
  }

  /** What an operator should know of the keys at start; empty if all is well. */
  get warnings(): readonly string[] {
    const former = 'GLOBAL_API_KEY_PREVIOUS is set: the former global key is accepted until that setting is removed.';
    return [...this.warningsOfCurrent(), ...(this.previous === '' ? [] : [former])];
  }

  private warningsOfCurrent(): string[] {
    const { length } = this.key;
    if (length === 0) return ['GLOBAL_API_KEY is not set: no request can write or administrate with the global key.'];
    if (length >= advisedGlobalKeyLength) return [];
    return [`GLOBAL_API_KEY has ${String(length)} characters; use at least ${String(advisedGlobalKeyLength)}.`];
  }
}
