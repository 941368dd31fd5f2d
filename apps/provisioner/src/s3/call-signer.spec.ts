import { S3Client } from '@aws-sdk/client-s3';
import { CallSigner, type SignedCall } from './call-signer.js';

const day = new Date('2026-02-28T23:59:59.987Z');
const nextDay = new Date('2026-03-01T00:00:00.000Z');
const payload = { host: 'store.example:9000', 'x-amz-content-sha256': 'a'.repeat(64) };
const read: SignedCall = { method: 'GET', path: '/bucket/a', query: 'x-id=GetObject', headers: payload };
const write: SignedCall = {
  ...{ method: 'PUT', path: '/bucket/some%20prefix/%C3%BC%2B%27%281%29/file', query: 'x-id=PutObject' },
  headers: { ...payload, 'content-type': 'application/octet-stream', 'content-length': '3', 'if-none-match': '*' },
};
const rest: SignedCall = { ...read, headers: { ...payload, range: 'bytes=5-', 'if-match': ' "an  odd\ttag" ' } };

describe(CallSigner.name, () => {
  let keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  let client: S3Client;
  let signer: CallSigner;

  beforeEach(() => {
    keys = { accessKeyId: 'ID', secretAccessKey: 'secret' };
    // The client requests the credentials again at each call, because they expire soon.
    const credentials = () => Promise.resolve({ ...keys, expiration: new Date(Date.now() + 1000) });
    client = new S3Client({ region: 'eu-west-3', credentials });
    signer = new CallSigner(client, 'eu-west-3', 's3');
  });

  async function byClient({ query, ...call }: SignedCall, signingDate: Date): Promise<unknown> {
    const names = { signingName: 's3', signingRegion: 'eu-west-3' };
    const its = await client.config.signer({ name: 'sigv4', ...names, properties: {} });
    const request = { ...call, protocol: 'https:', hostname: 'store.example', headers: { ...call.headers } };
    const asked = { ...request, query: Object.fromEntries(new URLSearchParams(query)) };
    return (await its.sign(asked, { signingDate })).headers;
  }

  it.each([
    ['a read', read],
    ['a write of a key that is encoded', write],
    ['the rest of what broke, of a version with an odd ETag', rest],
  ])('should sign %s as the client does', async (_, call) => {
    expect(await signer.sign(call, day)).toEqual(await byClient(call, day));
  });

  it('should sign with a session as the client does', async () => {
    keys.sessionToken = 'session';
    const signed = await signer.sign(write, day);
    expect(signed['x-amz-security-token']).toBe('session');
    expect(signed).toEqual(await byClient(write, day));
  });

  it('should sign as the client does when the day or the keys have become others', async () => {
    const signed = [await signer.sign(read, day), await signer.sign(read, nextDay)];
    expect(signed).toEqual([await byClient(read, day), await byClient(read, nextDay)]);
    keys = { accessKeyId: 'ID-2', secretAccessKey: 'another' };
    const another = await signer.sign(read, nextDay);
    expect(another['authorization']).toContain('Credential=ID-2/20260301/');
    expect(another).toEqual(await byClient(read, nextDay));
  });
});
