import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { noteUsed } from './test-logs.ts';

/** The parts of a request in addition to method and path. */
export interface HttpCall {
  readonly body?: string | Buffer | undefined;
  /** Content type of the body; none is sent otherwise. */
  readonly type?: string;
  /** Sent as `X-API-Key`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The parsed body, if it is uncompressed JSON. */
  readonly json: unknown;
}

/** Sends a request to 127.0.0.1 without the normalisation of `fetch`. @throws Error if the answer breaks off */
export async function httpCall(port: number, method: string, path: string, call: HttpCall = {}): Promise<HttpAnswer> {
  const { body, type, key, headers = {} } = call;
  noteUsed(key);
  const request = send({
    ...{ host: '127.0.0.1', port, method, path, agent: false },
    headers: {
      ...headers,
      ...(type && { 'Content-Type': type }),
      ...(key && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    },
  });
  request.end(body);
  const [incoming] = (await once(request, 'response')) as [IncomingMessage];
  const answer = await text(incoming);
  const isText = answer !== '' && incoming.headers['content-encoding'] === undefined;
  const isJson = isText && incoming.headers['content-type']?.startsWith('application/json');
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: answer,
    json: isJson ? JSON.parse(answer) : undefined,
  };
}
