import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { CannotStartError } from '../launcher/cannot-start.error.ts';
import { withoutConnectionHeaders } from './message-headers.ts';

/** Whether only proxies may send this header, or it is the one in which the gateway proves its identity. */
const isForwardingHeader = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['forwarded', 'x-real-ip', 'x-gateway-secret'].includes(name);

/** Whether this header names a trace: a stranger could have each of its requests recorded. */
const isTraceHeader = (name: string): boolean => ['traceparent', 'tracestate'].includes(name);

/** Replaces every claim of a caller about its own address by the address from which the request came. */
export class ForwardingHeaders {
  private readonly secret: string;
  private readonly trusted = new BlockList();
  private readonly trustsEverybody: boolean;

  /**
   * @param secret proves to the services that these headers come from the gateway
   * @param trustedProxies addresses and CIDR blocks whose `X-Forwarded-*` is kept and added to; `*` for all
   */
  constructor(secret: string, trustedProxies: readonly string[]) {
    this.secret = secret;
    this.trustsEverybody = trustedProxies.includes('*');
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
    const said = isTrusted ? request.headers : {};
    const chain = [said['x-forwarded-for'] ?? [], peer].flat();
    return [
      ...(authority === '' ? [] : ['Host', authority]),
      ...withoutConnectionHeaders(request.rawHeaders, isKept),
      ...['X-Forwarded-For', chain.join(', ')],
      ...['X-Forwarded-Proto', [said['x-forwarded-proto'] ?? 'http'].flat().join(', ')],
      ...['X-Forwarded-Host', [said['x-forwarded-host'] ?? authority].flat().join(', ')],
      ...['X-Gateway-Secret', this.secret],
    ];
  }

  private trusts(address: string): boolean {
    return this.trustsEverybody || this.trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  private trust(entry: string): void {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) this.trusted.addAddress(address, family);
      else this.trusted.addSubnet(address, Number(bits), family);
    } catch (cause) {
      throw new CannotStartError(`TRUSTED_PROXIES: "${entry}" is neither an address nor a CIDR block.`, cause);
    }
  }
}
