import { equalSecrets } from './key-hash.js';

/** The length below which a global key causes a warning at every start. */
const advisedGlobalKeyLength = 32;

/**
 * The key of the setting `GLOBAL_API_KEY`, and the previous key during a rotation. If the setting is unset or empty, no
 * global key exists. White space around a key, such as the line end of a secret's file, is removed, because a header
 * cannot contain it.
 */
export class GlobalKey {
  private readonly key: string;
  private readonly previous: string;

  /** @param settings the keys as the operator has set them */
  constructor(settings: { readonly GLOBAL_API_KEY?: string; readonly GLOBAL_API_KEY_PREVIOUS?: string }) {
    this.key = settings.GLOBAL_API_KEY?.trim() ?? '';
    this.previous = settings.GLOBAL_API_KEY_PREVIOUS?.trim() ?? '';
  }

  matches(presented: string): boolean {
    // Both comparisons always run, so that the time does not reveal which key was presented.
    const isCurrent = equalSecrets(this.key, presented);
    const isPrevious = equalSecrets(this.previous, presented);
    return (this.key !== '' && isCurrent) || (this.previous !== '' && isPrevious);
  }

  /** The warnings about the keys for the operator at start. */
  get warnings(): readonly string[] {
    const warning =
      'GLOBAL_API_KEY_PREVIOUS is set: the previous global key is accepted. Remove the setting after the rotation.';
    return [...this.warningsOfCurrent(), ...(this.previous === '' ? [] : [warning])];
  }

  private warningsOfCurrent(): string[] {
    const { length } = this.key;
    if (length === 0) return ['GLOBAL_API_KEY is not set: no request can use the global key.'];
    if (length >= advisedGlobalKeyLength) return [];
    return [`GLOBAL_API_KEY has ${String(length)} characters; use at least ${String(advisedGlobalKeyLength)}.`];
  }
}
