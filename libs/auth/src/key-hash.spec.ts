import { equalSecrets, KeyHasher } from './key-hash.js';

describe(KeyHasher.name, () => {
  it('should store 64 hexadecimal characters that depend on key and secret and reveal neither', () => {
    const hash = new KeyHasher(['secret']).hash('key');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(new KeyHasher(['other secret']).hash('key')).not.toBe(hash);
    expect(new KeyHasher(['secret']).hash('other key')).not.toBe(hash);
    expect(new KeyHasher(['secret']).hash('key')).toBe(hash);
  });

  it('should find a key stored under the former secret, and store new ones under the present one', () => {
    const stored = new KeyHasher(['former']).hash('key');
    const rotated = new KeyHasher(['present', 'former']);
    expect(rotated.candidates('key')).toEqual([rotated.hash('key'), stored]);
    expect(rotated.hash('key')).not.toBe(stored);
    expect(new KeyHasher(['present']).candidates('key')).not.toContain(stored);
  });
});

describe(equalSecrets.name, () => {
  it.each([
    ['same', 'same', true],
    ['same', 'Same', false],
    ['same', 'same ', false],
    ['', '', true],
    ['long', 'longer', false],
  ])('should compare %j with %j as %s', (one, other, expected) => {
    expect(equalSecrets(one, other)).toBe(expected);
  });
});
