import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * A set of network addresses, written as a list of addresses, CIDR blocks (IPv4 and IPv6) or `*` for all addresses.
 *
 * An IPv4-mapped IPv6 address equals its IPv4 address. The empty list contains no address. Only the usual notations are
 * valid: programs differ in how they read `10.1`, `010.0.0.1` and `0x7f.0.0.1`.
 */
export class AddressList {
  private readonly everything: boolean;
  private readonly ranges: readonly [Address, number][];

  /** @throws RangeError if an entry is neither an address, nor a CIDR block, nor `*` */
  constructor(entries: readonly string[]) {
    this.everything = entries.includes('*');
    this.ranges = entries.filter((entry) => entry !== '*').map(rangeOf);
  }

  /** Returns whether a text is an address of the set. */
  includes(text: string): boolean {
    if (isIP(text) === 0 || (!this.everything && this.ranges.length === 0)) return false;
    const address = ipaddr.process(text);
    return (
      this.everything ||
      this.ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
    );
  }
}

/**
 * Returns whether an address belongs to the public internet. Loopback, private, link-local, multicast, reserved and
 * tunnelled addresses do not; text that is not an address does not either.
 */
export function isPublicAddress(text: string): boolean {
  return isIP(text) !== 0 && ipaddr.process(text).range() === 'unicast';
}

function rangeOf(entry: string): [Address, number] {
  const [address = ''] = entry.split('/');
  try {
    if (isIP(address) === 0) throw new RangeError(`"${address}" is not an address`);
    if (!entry.includes('/')) {
      const host = ipaddr.process(entry);
      return [host, host.kind() === 'ipv4' ? 32 : 128];
    }
    const [network, bits] = ipaddr.parseCIDR(entry);
    const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
    return mapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
  } catch (cause) {
    throw new RangeError(`"${entry}" is neither an address, nor a CIDR block, nor *`, { cause });
  }
}

/**
 * Returns the network by which callers are counted: an IPv4 address, or the /64 block of an IPv6 address, because one
 * machine can choose any address in its block. Text that is not an address is returned unchanged.
 */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
