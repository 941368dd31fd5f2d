import { scryptSync } from 'node:crypto';
import { hashPassword, verifyPassword } from './password.js';

describe(verifyPassword.name, () => {
  it('should accept the password in every Unicode composition, and no other password', async () => {
    const stored = await hashPassword('caf\u00e9 au lait, twice');
    expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await verifyPassword('cafe\u0301 au lait, twice', stored)).toBe(true);
    expect(await verifyPassword('caf\u00e9 au lait, twice ', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  it('should store the same password differently each time', async () => {
    expect(await hashPassword('the same password')).not.toBe(await hashPassword('the same password'));
  });

  it('should read the cost from the hash', async () => {
    const salt = Buffer.from('a salt of sixteen');
    const hash = scryptSync('kept from before', salt, 32, { N: 2 ** 10, r: 4, p: 1 });
    const stored = `$scrypt$ln=10,r=4,p=1$${salt.toString('base64')}$${hash.toString('base64')}`;
    expect(await verifyPassword('kept from before', stored)).toBe(true);
    expect(await verifyPassword('kept from now', stored)).toBe(false);
  });

  it('should take about the same time without a stored hash', async () => {
    const stored = await hashPassword('correct horse battery staple');
    const somebody = await msOf(() => verifyPassword('wrong', stored));
    const nobody = await msOf(() => verifyPassword('wrong', null));
    expect(nobody).toBeGreaterThan(somebody / 4);
  });

  it.each([null, '', 'plain text', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', '$scrypt$ln=15,r=8,p=3$$'])(
    'should accept no password for the stored value %p',
    async (stored) => {
      expect(await verifyPassword('', stored)).toBe(false);
      expect(await verifyPassword('plain text', stored)).toBe(false);
    },
  );
});

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
