import { CannotStartError } from './cannot-start.error.ts';

/** Calls a service on its own port with the global key. */
export class ServiceClient {
  private readonly port: number;
  private readonly globalKey: string;
  private readonly signal: AbortSignal;

  constructor(port: number, globalKey: string, signal: AbortSignal) {
    this.port = port;
    this.globalKey = globalKey;
    this.signal = signal;
  }

  /** Returns the body of the answer to a GET. @throws CannotStartError if the status is not 200 */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.call('GET', path);
    if (status !== 200)
      throw new CannotStartError(`GET ${path} failed with status ${String(status)}: ${JSON.stringify(body)}`);
    return body as T;
  }

  /** Returns the status and body of the answer to a POST. */
  async post(path: string, body: object): Promise<{ status: number; body: unknown }> {
    return this.call('POST', path, JSON.stringify(body));
  }

  private async call(method: string, path: string, body?: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`http://127.0.0.1:${String(this.port)}${path}`, {
      method,
      signal: this.signal,
      headers: { 'X-API-Key': this.globalKey, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}
