/**
 * Slows down whoever tries keys. The injection token of whatever counts wrong keys; a service without one does not
 * limit them. It is asked only once a key has been found wrong, so that it never stands in the way of a right one.
 */
export abstract class WrongKeyLimit {
  /**
   * Counts one wrong key from an address.
   *
   * @throws RateLimitedError when there were too many of them
   */
  abstract note(address: string): Promise<void>;
}
