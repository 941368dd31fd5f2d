import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { CannotStartError } from '../launcher/cannot-start.error.ts';
import { withoutConnectionHeaders } from './message-headers.ts';

/** Whether only proxies may send this header, or the header carries the gateway's secret. */
const isForwardingHeader = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['forwarded', 'x-real-ip', 'x-gateway-secret'].includes(name);

/** Whether this header names a trace. A stranger could use such a header to have every request recorded. */
const isTraceHeader = (name: string): boolean => ['traceparent', 'tracestate'].includes(name);

/** The forwarding headers of requests, in which the address of the connection replaces every claim of the caller. */
export class ForwardingHeaders {
  private readonly secret: string;
  private readonly trusted = new BlockList();
  private readonly trustsEveryPeer: boolean;

  /**
   * @param secret proves to the services that these headers come from the gateway
   * @param trustedProxies addresses and CIDR blocks whose `X-Forwarded-*` is kept and added to; `*` for all
   */
  constructor(secret: string, trustedProxies: readonly string[]) {
    this.secret = secret;
    this.trustsEveryPeer = trustedProxies.includes('*');
    for (const entry of trustedProxies) if (entry !== '*') this.trust(entry);
  }

  /**
   * Returns the headers with which a request is forwarded. They hold no `Transfer-Encoding`: a body without
   * `Content-Length` is framed by the client that sends it.
   *
   * @param authority host and port that the request target names; undefined if the header `Host` names them
   */
  forwarded(request: IncomingMessage, authority = request.headers.host ?? ''): string[] {
    const peer = request.socket.remoteAddress ?? '';
    const isTrusted = this.trusts(peer);
    const isKept = (name: string): boolean =>
      name !== 'host' && !isForwardingHeader(name) && (isTrusted || !isTraceHeader(name));
    const claimed = isTrusted ? request.headers : {};
    const chain = [claimed['x-forwarded-for'] ?? [], peer].flat();
    return [
      ...(authority === '' ? [] : ['Host', authority]),
      ...withoutConnectionHeaders(request.rawHeaders, isKept),
      ...['X-Forwarded-For', chain.join(', ')],
      ...['X-Forwarded-Proto', [claimed['x-forwarded-proto'] ?? 'http'].flat().join(', ')],
      ...['X-Forwarded-Host', [claimed['x-forwarded-host'] ?? authority].flat().join(', ')],
      ...['X-Gateway-Secret', this.secret],
    ];
  }

  private trusts(address: string): boolean {
    return this.trustsEveryPeer || this.trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  private trust(entry: string): void {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) this.trusted.addAddress(address, family);
      else this.trusted.addSubnet(address, Number(bits), family);
    } catch (cause) {
      throw new CannotStartError(
        `TRUSTED_PROXIES: each entry must be an IP address, a CIDR block or *; "${entry}" is not.`,
        cause,
      );
    }
  }
}
