import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { CannotStartError } from '../launcher/cannot-start.error.ts';

/** Headers that belong to one connection, not to the message (RFC 9110, section 7.6.1). */
const connectionHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
]);

/** What only proxies may say, and the header in which we prove to be ourselves. */
const isForwardingHeader = (name: string): boolean =>
  name.startsWith('x-forwarded-') || ['forwarded', 'x-real-ip', 'x-gateway-secret'].includes(name);

/** Which trace a request belongs to: a stranger could have every one of its requests recorded. */
const isTraceHeader = (name: string): boolean => ['traceparent', 'tracestate'].includes(name);

/** Tells services truthfully where a request came from, and takes away what the caller claimed about it. */
export class ForwardingHeaders {
  private readonly secret: string;
  private readonly trusted = new BlockList();
  private readonly trustsEverybody: boolean;

  /**
   * @param secret what proves to the services that the word is ours
   * @param trustedProxies addresses and CIDR blocks whose `X-Forwarded-*` is kept and added to; `*` for all
   */
  constructor(secret: string, trustedProxies: readonly string[]) {
    this.secret = secret;
    this.trustsEverybody = trustedProxies.includes('*');
    for (const entry of trustedProxies) if (entry !== '*') this.trust(entry);
  }

  /** The headers with which a request goes on, as a flat list of names and values. */
  forwarded(request: IncomingMessage): string[] {
    const peer = request.socket.remoteAddress ?? '';
    const isTrusted = this.trusts(peer);
    const isKept = (name: string): boolean => !isForwardingHeader(name) && (isTrusted || !isTraceHeader(name));
    const kept = withoutConnectionHeaders(request.rawHeaders, isKept);
    const said = isTrusted ? request.headers : {};
    const chain = [said['x-forwarded-for'] ?? [], peer].flat();
    return [
      ...kept,
      ...framingOf(request),
      ...['X-Forwarded-For', chain.join(', ')],
      ...['X-Forwarded-Proto', [said['x-forwarded-proto'] ?? 'http'].flat().join(', ')],
      ...['X-Forwarded-Host', [said['x-forwarded-host'] ?? request.headers.host ?? ''].flat().join(', ')],
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

/** Says how long the body is, where the kept headers do not. */
function framingOf({ method, headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked'];
  const isBodiless = method === 'GET' || method === 'HEAD';
  return isBodiless || headers['content-length'] !== undefined ? [] : ['Content-Length', '0'];
}

/** A flat list of headers without those of its connection. */
export function withoutConnectionHeaders(
  rawHeaders: readonly string[],
  keep: (lowerCaseName: string) => boolean = () => true,
): string[] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const dropped = new Set([...connectionHeaders, ...named.map((name) => name.trim().toLowerCase())]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()) && keep(name.toLowerCase())).flat();
}
