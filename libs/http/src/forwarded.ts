import { AddressList, equalSecrets } from '@rdc/auth';

/** The header in which our own gateway proves to be itself; its value is made anew at every start. */
const gatewayHeader = 'x-gateway-secret';

/** Whose word on a caller's address counts. */
export interface TrustedForwarders {
  /** Proxies whose `X-Forwarded-For` counts. */
  readonly proxies: AddressList;
  /** The gateway's secret, when there is a gateway on the same machine. */
  readonly gatewaySecret: string | undefined;
}

/** What of a request tells where it came from. */
export interface Forwarded {
  /** The address of the other end of the socket. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The address a request really came from.
 *
 * The header `X-Forwarded-For` counts only when the peer is trusted, and is read from the right: each trusted hop
 * vouches for the one before it, and the first that is not trusted is the caller. What stands further left was written
 * by the caller and is never looked at. A hop that is no address ends the walk at the last one that was vouched for.
 */
export function clientAddress(forwarded: Forwarded, trusted: TrustedForwarders): string {
  const { peer, headers } = forwarded;
  let address = peer;
  let vouches = isTrustedForwarder(forwarded, trusted);
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse();
  for (const hop of hops) {
    const claimed = bareAddress(hop);
    if (!vouches || claimed === null) break;
    address = claimed;
    vouches = trusted.proxies.includes(claimed);
  }
  return address;
}

/**
 * The origin under which the caller sees this service, e.g. `https://catalog.example.org`; `''` when the request does
 * not tell. `X-Forwarded-Proto` and `X-Forwarded-Host` count only when the peer is trusted: what stands last was
 * written by it.
 */
export function servedOrigin(forwarded: Forwarded, trusted: TrustedForwarders): string {
  const last = (name: string): string | undefined =>
    [forwarded.headers[name] ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined;
  const vouched = isTrustedForwarder(forwarded, trusted);
  const scheme = (vouched ? last('x-forwarded-proto') : undefined) ?? 'http';
  const host = (vouched ? last('x-forwarded-host') : undefined) ?? last('host') ?? '';
  const url = `${scheme}://${host}`;
  return /^https?:\/\/[^/?#@\\\s]+$/i.test(url) && URL.canParse(url) ? new URL(url).origin : '';
}

/** Whether what a request's peer says of those before it counts. */
export function isTrustedForwarder({ peer, headers }: Forwarded, trusted: TrustedForwarders): boolean {
  const secret = headers[gatewayHeader];
  const isGateway =
    trusted.gatewaySecret !== undefined && typeof secret === 'string' && equalSecrets(trusted.gatewaySecret, secret);
  return isGateway || trusted.proxies.includes(peer);
}

const everyAddress = new AddressList(['*']);

/** An entry of the header without brackets and port, or null when it is no address. */
function bareAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"|"$/g, '');
  const host = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return everyAddress.includes(host) ? host : null;
}
