import { AddressList, isPublicAddress } from '@rdc/auth';
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** The receiver has an address to which the catalog must not send. */
export class RefusedAddressError extends Error {
  constructor(host: string, reason: string) {
    super(`The address of ${host} is refused: ${reason}`);
    this.name = 'RefusedAddressError';
  }
}

/**
 * The addresses to which the catalog may send events. Without this check, an administrator of subscriptions could reach
 * services of the internal network.
 */
export class ReceiverAddresses {
  private readonly allowed: AddressList;

  /** @param allowed addresses and CIDR blocks outside the public internet */
  constructor(allowed: readonly string[]) {
    this.allowed = new AddressList(allowed);
  }

  /**
   * Checks the parts of a URL that need no name resolution.
   *
   * @throws RefusedAddressError if the host is an address to which the catalog must not send
   */
  check(url: URL): void {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) this.checkAddress(host, host, url.protocol === 'https:');
  }

  /**
   * Returns the function with which a connection resolves the name of a receiver. The connection uses the checked
   * address, so that a second answer of the name server changes nothing.
   */
  lookupFor(url: URL): LookupFunction {
    const isSecure = url.protocol === 'https:';
    return (host, options, done) => {
      lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
        if (error) {
          done(error, '');
          return;
        }
        try {
          for (const { address } of found) this.checkAddress(host, address, isSecure);
        } catch (refusal) {
          done(refusal as Error, '');
          return;
        }
        if (options.all) done(null, found);
        else done(null, found[0]?.address ?? '', found[0]?.family);
      });
    };
  }

  private checkAddress(host: string, address: string, isSecure: boolean): void {
    if (this.allowed.includes(address)) return;
    if (!isPublicAddress(address)) {
      const reason = `${address} is not public. Add the address to EVENT_ALLOWED_ADDRESSES, if events may go there.`;
      throw new RefusedAddressError(host, reason);
    }
    if (!isSecure) throw new RefusedAddressError(host, 'a receiver on the public internet needs https.');
  }
}
