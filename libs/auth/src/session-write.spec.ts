import type { SessionRequest } from './session-request.js';
import { doubtOfWrite } from './session-write.js';

const servedOrigin = 'https://catalog.example.org';
const proof = { origin: servedOrigin, 'x-csrf-token': 'the token' };

function aRequest(change: Partial<SessionRequest> = {}): SessionRequest {
  return { method: 'POST', headers: proof, servedOrigin, clientAddress: '192.0.2.1', ...change };
}

describe(doubtOfWrite.name, () => {
  it('should believe a write from our own origin with the token of the session', () => {
    expect(doubtOfWrite(aRequest(), 'the token')).toBeNull();
  });

  it('should ask nothing of a read', () => {
    for (const method of ['GET', 'HEAD'])
      expect(doubtOfWrite(aRequest({ method, headers: {} }), 'the token')).toBeNull();
  });

  it.each([
    'https://evil.example',
    'http://catalog.example.org',
    'https://catalog.example.org:8443',
    'https://catalog.example.org.evil.example',
    'null',
    '',
    undefined,
  ])('should doubt a write from %p', (origin) => {
    expect(doubtOfWrite(aRequest({ headers: { ...proof, origin } }), 'the token')).toMatchObject({
      code: 'csrf.refused',
    });
  });

  it('should doubt every write when the request does not tell where we are served', () => {
    const request = aRequest({ servedOrigin: '', headers: { ...proof, origin: '' } });
    expect(doubtOfWrite({ ...request, headers: { ...proof, origin: undefined } }, 'the token')).not.toBeNull();
    expect(doubtOfWrite(request, 'the token')).not.toBeNull();
  });

  it.each(['', 'another token', undefined, ['the token', 'the token']])('should doubt the token %p', (token) => {
    expect(doubtOfWrite(aRequest({ headers: { ...proof, 'x-csrf-token': token } }), 'the token')).toMatchObject({
      code: 'csrf.refused',
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'])('should doubt %s without proof', (method) => {
    expect(doubtOfWrite(aRequest({ method, headers: {} }), 'the token')).not.toBeNull();
  });
});
