import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * A set of network addresses written as a list of addresses, CIDR blocks (IPv4 and IPv6) or `*` for all.
 *
 * An IPv4-mapped IPv6 address is the IPv4 address it maps, on both sides. The empty list holds nothing. Only the usual
 * spellings count: `10.1`, `010.0.0.1` and `0x7f.0.0.1`, which programs read differently, are no addresses.
 */
export class AddressList {
  private readonly everything: boolean;
  private readonly ranges: readonly [Address, number][];

  /** @throws RangeError naming the first entry that is neither an address, nor a block, nor `*` */
  constructor(entries: readonly string[]) {
    this.everything = entries.includes('*');
    this.ranges = entries.filter((entry) => entry !== '*').map(rangeOf);
  }

  /** Whether the address is in the set; text that is no address is in none. */
  includes(text: string): boolean {
    if (isIP(text) === 0 || (!this.everything && this.ranges.length === 0)) return false;
    const address = ipaddr.process(text);
    return (
      this.everything ||
      this.ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
    );
  }
}

function rangeOf(entry: string): [Address, number] {
  const [address = ''] = entry.split('/');
  try {
    if (isIP(address) === 0) throw new RangeError(`"${address}" is no address`);
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
 * What counts as one caller when callers are counted: an IPv4 address, or the /64 block of an IPv6 address, within
 * which one machine may choose its address at will. Text that is no address stays as it is.
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
