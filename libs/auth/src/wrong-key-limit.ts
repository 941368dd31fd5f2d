/**
 * The injection token of a service's limit of wrong keys, which slows down attempts to guess a key. A service without a
 * limit accepts any number. Only wrong keys are counted, so that a correct key is always accepted.
 */
export abstract class WrongKeyLimit {
  /**
   * Counts one wrong key from an address.
   *
   * @throws RateLimitedError if the address has sent too many wrong keys
   */
  abstract recordFailure(address: string): Promise<void>;
}
