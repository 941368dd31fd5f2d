import { equalSecrets, KeyHasher } from './key-hash.js';

describe(KeyHasher.name, () => {
  it('should return 64 hexadecimal characters that depend on the key and the secret', () => {
    const hash = new KeyHasher(['secret']).hash('key');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(new KeyHasher(['other secret']).hash('key')).not.toBe(hash);
    expect(new KeyHasher(['secret']).hash('other key')).not.toBe(hash);
    expect(new KeyHasher(['secret']).hash('key')).toBe(hash);
  });

  it('should return the hash under the previous secret as a candidate when the secret is rotated', () => {
    const stored = new KeyHasher(['previous']).hash('key');
    const rotated = new KeyHasher(['current', 'previous']);
    expect(rotated.candidates('key')).toEqual([rotated.hash('key'), stored]);
    expect(rotated.hash('key')).not.toBe(stored);
    expect(new KeyHasher(['current']).candidates('key')).not.toContain(stored);
  });
});

describe(equalSecrets.name, () => {
  it.each([
    ['same', 'same', true],
    ['same', 'Same', false],
    ['same', 'same ', false],
    ['', '', true],
    ['long', 'longer', false],
  ])('given %j and %j, should return %s', (one, other, expected) => {
    expect(equalSecrets(one, other)).toBe(expected);
  });
});
