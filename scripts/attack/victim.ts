import type { Target } from './attack.ts';
import { type RawAnswer, RawConnection } from './raw-connection.ts';

/** A caller with a key that reads its own record during an attack. */
export class Victim {
  readonly host: string;
  readonly port: number;
  private readonly key: string;
  private readonly name = `Victim of an attack ${String(Date.now())}`;
  private path = '';

  private constructor({ origin, globalKey }: Target) {
    const { protocol, hostname, port } = new URL(origin);
    if (protocol !== 'http:')
      throw new Error(`--url must begin with http: because the attacks write raw bytes; it is ${origin}.`);
    this.host = hostname;
    this.port = Number(port || 80);
    this.key = globalKey;
  }

  /** Creates the record, a partner. */
  static async of(target: Target): Promise<Victim> {
    const victim = new Victim(target);
    await victim.restore();
    return victim;
  }

  /** Path of the record. */
  get record(): string {
    return this.path;
  }

  /** Reads the record. @returns whether the answer is the record */
  async readsItsRecord(): Promise<boolean> {
    const answer = await this.send('GET', this.path);
    return answer?.status === 200 && answer.body.includes(this.name);
  }

  /** Creates the record again if an attack removed it. */
  async restore(): Promise<void> {
    if (this.path !== '' && (await this.readsItsRecord())) return;
    const made = await this.send('POST', '/api/partners', JSON.stringify({ name: this.name }));
    if (made?.status !== 201)
      throw new Error(`POST /api/partners failed with status ${String(made?.status)} instead of 201.`);
    this.path = new URL(made.headers['location'] ?? '', 'http://origin').pathname;
  }

  async removeRecord(): Promise<void> {
    await this.send('DELETE', this.path);
  }

  private send(method: string, path: string, body = ''): Promise<RawAnswer | undefined> {
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${this.host}`, `X-API-Key: ${this.key}`, 'Connection: close'];
    const framing = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${String(body.length)}`];
    const request = `${[...lines, ...framing].join('\r\n')}\r\n\r\n${body}`;
    return RawConnection.exchange(this.port, request, method, this.host);
  }
}
