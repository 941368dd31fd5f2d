import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * A set of network addresses written as a list of addresses, CIDR blocks (IPv4 and IPv6) or `*` for all.
 *
 * An IPv4-mapped IPv6 address is the IPv4 address it maps, on both sides. The empty list holds nothing.
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
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return (
      this.everything ||
      this.ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
    );
  }
}

function rangeOf(entry: string): [Address, number] {
  try {
    if (!entry.includes('/')) {
      const address = ipaddr.process(entry);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    }
    const [network, bits] = ipaddr.parseCIDR(entry);
    const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
    return mapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
  } catch (cause) {
    throw new RangeError(`"${entry}" is neither an address, nor a CIDR block, nor *`, { cause });
  }
}
