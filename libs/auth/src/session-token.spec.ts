import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { SessionTokens, sessionTokenSeconds } from './session-token.js';

const secret = 'a secret of both services, 32 characters or more';
const session = { userId: '7', subject: 'abc', roles: ['admin'], sessionId: 'f00d' } as const;
const tokens = new SessionTokens(secret);

describe(SessionTokens.name, () => {
  it('should read a token when it was issued with the same secret', async () => {
    const read = await new SessionTokens(secret).read(await tokens.issue(session));
    expect(read).toEqual({ kind: 'session', ...session });
  });

  it('should throw an error when the secret is too short', () => {
    expect(() => new SessionTokens('x'.repeat(31))).toThrow(RangeError);
  });

  it('should not read a token when its signature is not valid', async () => {
    const foreign = await new SessionTokens(`another ${secret}`).issue(session);
    expect(await tokens.read(foreign)).toBeNull();
    const [header, , signature] = (await tokens.issue({ ...session, roles: [] })).split('.');
    const [, claims] = (await tokens.issue(session)).split('.');
    expect(await tokens.read(`${header ?? ''}.${claims ?? ''}.${signature ?? ''}`)).toBeNull();
  });

  it('should not read a token when it has expired and no grace period is set', async () => {
    const ended = await signed({ alg: 'HS256', typ: 'session+jwt' }, { ...claims(), exp: now() - 1 });
    expect(await tokens.read(ended)).toBeNull();
    expect(await tokens.read(ended, 60)).toEqual({ kind: 'session', ...session });
    expect(sessionTokenSeconds).toBe(300);
  });

  it.each([
    ['no end', { exp: undefined }],
    ['no session', { sid: undefined }],
    ['no person', { sub: undefined }],
    ['a person that is not a text', { sub: 7 }],
  ])('should not read a token when it has %s', async (_, change) => {
    expect(
      await tokens.read(await signed({ alg: 'HS256', typ: 'session+jwt' }, { ...claims(), ...change })),
    ).toBeNull();
  });

  it('should drop unknown roles when a token contains them', async () => {
    const token = await signed({ alg: 'HS256', typ: 'session+jwt' }, { ...claims(), roles: ['root', 'auditor', 7] });
    expect((await tokens.read(token))?.roles).toEqual(['auditor']);
  });

  describe('algorithm confusion', () => {
    it('should not read a token when its algorithm is any spelling of "none"', async () => {
      for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
        const unsigned = `${base64({ alg, typ: 'session+jwt' })}.${base64(claims())}.`;
        expect(await tokens.read(unsigned)).toBeNull();
        const [, , signature] = (await tokens.issue(session)).split('.');
        expect(await tokens.read(unsigned + (signature ?? ''))).toBeNull();
      }
    });

    it('should not read a token when its algorithm is not HS256', async () => {
      for (const alg of ['HS384', 'HS512']) {
        expect(await tokens.read(await signed({ alg, typ: 'session+jwt' }, claims()))).toBeNull();
      }
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const asymmetric = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'RS256', typ: 'session+jwt' })
        .sign(privateKey);
      expect(await tokens.read(asymmetric)).toBeNull();
    });

    it('should not use a key when the token itself contains it', async () => {
      const own = Buffer.from('the key of the attacker, long enough').toString('base64url');
      const header = { alg: 'HS256', typ: 'session+jwt', jwk: { kty: 'oct', k: own }, kid: '../../dev/null' };
      const body = `${base64(header)}.${base64(claims())}`;
      const signature = createHmac('sha256', Buffer.from(own, 'base64url')).update(body).digest('base64url');
      expect(await tokens.read(`${body}.${signature}`)).toBeNull();
    });

    it('should not read a token when its type is not that of a session', async () => {
      for (const typ of ['JWT', 'login+jwt', undefined]) {
        expect(await tokens.read(await signed({ alg: 'HS256', ...(typ && { typ }) }, claims()))).toBeNull();
      }
    });

    it.each(['', '.', '..', 'a.b.c', '💥.💥.💥', 'x'.repeat(5000)])(
      'should return null when the token is %p',
      async (garbage) => {
        expect(await tokens.read(garbage)).toBeNull();
      },
    );
  });

  it('should return one CSRF token for each session and secret', () => {
    const token = tokens.csrfTokenOf('f00d');
    expect(tokens.csrfTokenOf('f00d')).toBe(token);
    expect(tokens.csrfTokenOf('beef')).not.toBe(token);
    expect(new SessionTokens(`another ${secret}`).csrfTokenOf('f00d')).not.toBe(token);
  });
});

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function claims(): Record<string, unknown> {
  const { userId, sessionId, subject, roles } = session;
  return { sub: userId, sid: sessionId, subject, roles, exp: now() + 60 };
}

function signed(header: { alg: string; typ?: string }, body: Record<string, unknown>): Promise<string> {
  return new SignJWT(body).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
