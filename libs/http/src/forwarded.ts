import { AddressList, equalSecrets } from '@rdc/auth';

/** The header with the secret of the gateway on the same machine. The gateway creates a new secret at every start. */
const gatewayHeader = 'x-gateway-secret';

/** The peers whose forwarding headers are trusted. */
export interface TrustedForwarders {
  /** The addresses of trusted proxies. */
  readonly proxies: AddressList;
  /** The secret of the gateway on the same machine; undefined if there is no gateway. */
  readonly gatewaySecret: string | undefined;
}

/** The parts of a request from which its origin is determined. */
export interface Forwarded {
  /** The address of the other end of the socket. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Returns the client's address.
 *
 * If the peer is trusted, the header `X-Forwarded-For` is read from right to left. The first address that is not a
 * trusted proxy is the client. The addresses to its left are ignored, because the client may have written them. If an
 * entry is not an address, the result is the address to its right.
 */
export function clientAddress(forwarded: Forwarded, trusted: TrustedForwarders): string {
  const { peer, headers } = forwarded;
  let address = peer;
  let isTrusted = isTrustedForwarder(forwarded, trusted);
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse();
  for (const hop of hops) {
    const claimed = bareAddress(hop);
    if (!isTrusted || claimed === null) break;
    address = claimed;
    isTrusted = trusted.proxies.includes(claimed);
  }
  return address;
}

/**
 * Returns the origin of the service as the client sees it, e.g. `https://catalog.example.org`; `''` if the request does
 * not contain a valid host. If the peer is trusted, the last values of `X-Forwarded-Proto` and `X-Forwarded-Host`
 * count, because the peer has written them.
 */
export function servedOrigin(forwarded: Forwarded, trusted: TrustedForwarders): string {
  const last = (name: string): string | undefined =>
    [forwarded.headers[name] ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined;
  const isTrusted = isTrustedForwarder(forwarded, trusted);
  const scheme = (isTrusted ? last('x-forwarded-proto') : undefined) ?? 'http';
  const host = (isTrusted ? last('x-forwarded-host') : undefined) ?? last('host') ?? '';
  const url = `${scheme}://${host}`;
  return /^https?:\/\/[^/?#@\\\s]+$/i.test(url) && URL.canParse(url) ? new URL(url).origin : '';
}

/** Returns whether the forwarding headers of a request are trusted. */
export function isTrustedForwarder({ peer, headers }: Forwarded, trusted: TrustedForwarders): boolean {
  const secret = headers[gatewayHeader];
  const isGateway =
    trusted.gatewaySecret !== undefined && typeof secret === 'string' && equalSecrets(trusted.gatewaySecret, secret);
  return isGateway || trusted.proxies.includes(peer);
}

const everyAddress = new AddressList(['*']);

/** Returns an entry of `X-Forwarded-For` without brackets and port; null if the entry is not an address. */
function bareAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"|"$/g, '');
  const host = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return everyAddress.includes(host) ? host : null;
}
