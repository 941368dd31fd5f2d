import type { S3Client } from '@aws-sdk/client-s3';
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The parts of a call that its signature covers. */
export interface SignedCall {
  readonly method: 'GET' | 'PUT';
  /** The path, percent-encoded. */
  readonly path: string;
  /** The query, percent-encoded and sorted by name. */
  readonly query: string;
  /** The headers by lower-case name, without line breaks. `x-amz-content-sha256` is required. */
  readonly headers: Readonly<Record<string, string>>;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * A signer of calls with a client's credentials (AWS Signature Version 4). The client's own signer derives the lookup
 * key of its cache for each call. With small objects, this derivation takes a sixth of the time of reading.
 */
export class CallSigner {
  private secret = '';
  private scope = '';
  private key: KeyObject | null = null;

  constructor(
    private readonly client: S3Client,
    private readonly region: string,
    private readonly service: string,
  ) {}

  /** Signs a call. @returns the headers, including the headers that the signature adds */
  async sign({ method, path, query, headers }: SignedCall, at: Date): Promise<Record<string, string>> {
    const { accessKeyId, secretAccessKey, sessionToken } = await this.client.config.credentials();
    const time = at.toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${time.slice(0, 8)}/${this.region}/${this.service}/aws4_request`;
    const signed: Record<string, string> = { ...headers, 'x-amz-date': time };
    if (sessionToken !== undefined) signed['x-amz-security-token'] = sessionToken;
    const names = Object.keys(signed).sort();
    const lines = names.map((name) => `${name}:${(signed[name] ?? '').replace(/[ \t]+/g, ' ').trim()}\n`).join('');
    const list = names.join(';');
    const call = [method, path, query, lines, list, headers['x-amz-content-sha256']].join('\n');
    const signature = createHmac('sha256', this.keyOf(secretAccessKey, scope))
      .update([algorithm, time, scope, hash('sha256', call)].join('\n'))
      .digest('hex');
    signed['authorization'] =
      `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`;
    return signed;
  }

  /** Returns the signing key, which is derived again each day and when the secret changes. */
  private keyOf(secret: string, scope: string): KeyObject {
    if (!this.key || this.secret !== secret || this.scope !== scope) {
      const derived = scope
        .split('/')
        .reduce((key, part) => createHmac('sha256', key).update(part).digest(), Buffer.from(`AWS4${secret}`));
      [this.secret, this.scope, this.key] = [secret, scope, createSecretKey(derived)];
    }
    return this.key;
  }
}
