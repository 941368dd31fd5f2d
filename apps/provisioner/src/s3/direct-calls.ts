import {
  GetObjectCommand,
  PutObjectCommand,
  type GetObjectCommandInput,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { payloadHashHeader, withPayloadHash } from './payload-hash.js';

/** The properties of an object, named as in the client. */
export interface ObjectAnswer {
  readonly ETag?: string | undefined;
  readonly ContentLength?: number | undefined;
  readonly Body?: unknown;
}

/** The result of a call by the client's handler. */
interface Outcome {
  readonly response: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: IncomingMessage;
  };
}

/** The endpoint of calls, and the client's signer. */
interface Route {
  readonly url: URL;
  readonly signer: ReturnType<S3Client['config']['signer']>;
}

const noPayload = hash('sha256', '');

/**
 * The two calls that every object needs. They are signed by the client's signer and sent by the client's handler, without
 * the client's middlewares, which take most of the time of a small call (docs/decisions/0025). If a call does not succeed,
 * the client receives the result as the outcome of its own first attempt, and decides whether to retry or to throw.
 */
export class DirectCalls {
  private route: Route | null = null;

  /** @param bucket the bucket of all calls. The client sends the first call, which determines the endpoint. */
  constructor(
    private readonly client: S3Client,
    bucket: string,
  ) {
    client.middlewareStack.add(
      (next, context) => (call) => {
        const { endpointV2 } = context;
        const scheme = endpointV2?.properties?.authSchemes?.[0];
        const isOurs = (call.input as { readonly Bucket?: string }).Bucket === bucket;
        if (!this.route && isOurs && endpointV2 && scheme?.name === 'sigv4') {
          const { name, signingName, signingRegion } = scheme;
          const signer = client.config.signer({ name, signingName, signingRegion, properties: {} });
          this.route = { url: endpointV2.url, signer };
        }
        return next(call);
      },
      { step: 'build' },
    );
  }

  /** Sends GetObject like the client. `Body` is a stream. */
  async get(input: GetObjectCommandInput): Promise<ObjectAnswer> {
    const headers = { range: input.Range, 'if-match': input.IfMatch, [payloadHashHeader]: noPayload };
    const command = new GetObjectCommand(input);
    if (!this.route) return this.client.send(command);
    const outcome = this.send(this.route, 'GET', input.Key ?? '', headers);
    const done = await successOf(outcome);
    if (!done) return this.client.send(after(outcome, command));
    return {
      ETag: done.headers['etag'],
      ContentLength: Number(done.headers['content-length']),
      Body: done.body,
    };
  }

  /** Sends PutObject like the client, with the SHA-256 of the payload, which the store compares. */
  async put(input: PutObjectCommandInput & { readonly Body: Buffer }, sha256: string): Promise<ObjectAnswer> {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(input.Body.length),
      'if-match': input.IfMatch,
      'if-none-match': input.IfNoneMatch,
      [payloadHashHeader]: sha256,
    };
    const command = withPayloadHash(new PutObjectCommand({ ...input, ContentLength: input.Body.length }), sha256);
    if (!this.route) return this.client.send(command);
    const outcome = this.send(this.route, 'PUT', input.Key ?? '', headers, input.Body);
    const done = await successOf(outcome);
    if (!done) return this.client.send(after(outcome, command));
    done.body.resume();
    return { ETag: done.headers['etag'] };
  }

  private async send(
    { url, signer }: Route,
    method: 'GET' | 'PUT',
    key: string,
    headers: Readonly<Record<string, string | undefined>>,
    body?: Buffer,
  ): Promise<Outcome> {
    const { config } = this.client;
    const operation = method === 'GET' ? 'GetObject' : 'PutObject';
    const given: Record<string, string> = { host: url.host };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) given[name] = value;
    const request = {
      ...{ method, protocol: url.protocol, hostname: url.hostname, headers: given, body },
      ...(url.port !== '' && { port: Number(url.port) }),
      path: `${url.pathname.replace(/\/$/, '')}/${key.split('/').map(encoded).join('/')}`,
      query: { 'x-id': operation },
    };
    const signingDate = new Date(Date.now() + config.systemClockOffset);
    const signed = await (await signer).sign(request, { signingDate });
    return (await config.requestHandler.handle(signed)) as Outcome;
  }
}

/** Encodes a name of a path like the signature, which leaves only unreserved characters unencoded. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

async function successOf(outcome: Promise<Outcome>): Promise<Outcome['response'] | null> {
  try {
    const { response } = await outcome;
    return response.statusCode >= 200 && response.statusCode < 300 ? response : null;
  } catch {
    return null;
  }
}

/** Returns a command whose first attempt has the given outcome, so that the client's retries follow. */
function after<T extends GetObjectCommand | PutObjectCommand>(outcome: Promise<Outcome>, command: T): T {
  let isFirst = true;
  const { middlewareStack } = command as Pick<GetObjectCommand, 'middlewareStack'>;
  middlewareStack.add(
    (next) => (call) => {
      if (!isFirst) return next(call);
      isFirst = false;
      return outcome;
    },
    { step: 'deserialize', priority: 'low', name: 'firstCall' },
  );
  return command;
}
