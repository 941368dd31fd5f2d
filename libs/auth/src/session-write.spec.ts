import type { SessionRequest } from './session-request.js';
import { sessionWriteError } from './session-write.js';

const servedOrigin = 'https://catalog.example.org';
const proof = { origin: servedOrigin, 'x-csrf-token': 'the token' };

function aRequest(change: Partial<SessionRequest> = {}): SessionRequest {
  return { method: 'POST', headers: proof, servedOrigin, clientAddress: '192.0.2.1', ...change };
}

describe(sessionWriteError.name, () => {
  it('should accept a write when it has the origin of the service and the token', () => {
    expect(sessionWriteError(aRequest(), 'the token')).toBeNull();
  });

  it('should accept a read when it has no proof', () => {
    for (const method of ['GET', 'HEAD'])
      expect(sessionWriteError(aRequest({ method, headers: {} }), 'the token')).toBeNull();
  });

  it.each([
    'https://evil.example',
    'http://catalog.example.org',
    'https://catalog.example.org:8443',
    'https://catalog.example.org.evil.example',
    'null',
    '',
    undefined,
  ])('should refuse a write when its origin is %p', (origin) => {
    expect(sessionWriteError(aRequest({ headers: { ...proof, origin } }), 'the token')).toMatchObject({
      code: 'csrf.refused',
    });
  });

  it('should refuse every write when the origin of the service is unknown', () => {
    const request = aRequest({ servedOrigin: '', headers: { ...proof, origin: '' } });
    expect(sessionWriteError({ ...request, headers: { ...proof, origin: undefined } }, 'the token')).not.toBeNull();
    expect(sessionWriteError(request, 'the token')).not.toBeNull();
  });

  it.each(['', 'another token', undefined, ['the token', 'the token']])(
    'should refuse a write when its token is %p',
    (token) => {
      expect(sessionWriteError(aRequest({ headers: { ...proof, 'x-csrf-token': token } }), 'the token')).toMatchObject({
        code: 'csrf.refused',
      });
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'])('should refuse %s when it has no proof', (method) => {
    expect(sessionWriteError(aRequest({ method, headers: {} }), 'the token')).not.toBeNull();
  });
});
