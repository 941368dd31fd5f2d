import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/**
 * The cost of one hash: about 32 MiB and 0.1 s of one thread, one of the settings that OWASP recommends for scrypt. Each
 * stored hash contains its parameters, so a higher cost does not invalidate stored passwords.
 */
const cost = { ln: 15, r: 8, p: 3 };

const saltBytes = 16;
const keyBytes = 32;

/** Returns the stored form of a password: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
export async function hashPassword(password: string, parameters = cost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, parameters);
  const named = Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`);
  return ['', 'scrypt', named.join(','), base64(salt), base64(hash)].join('$');
}

/**
 * Whether a password matches the stored hash. If no hash is stored, the comparison takes the same time, so that the
 * duration does not reveal which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? '');
  if (!match) {
    await derive(password, randomBytes(saltBytes), cost);
    return false;
  }
  const [, ln, r, p, salt = '', hash = ''] = match;
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), { ln: Number(ln), r: Number(r), p: Number(p) });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, salt: Buffer, { ln, r, p }: typeof cost): Promise<Buffer> {
  const N = 2 ** ln;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
