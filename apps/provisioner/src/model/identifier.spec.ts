import { isIdentifier } from './identifier.js';

describe(isIdentifier.name, () => {
  it.each(['A', '0', 'a.b-c_d', 'difference', 'a'.repeat(128)])('should accept the id %s', (name) => {
    expect(isIdentifier(name)).toBe(true);
  });

  it.each([
    '',
    'a'.repeat(129),
    'a.',
    '.a',
    '-a',
    '_a',
    'a b',
    'a/b',
    'ä',
    'a\n',
    'diff',
    'Import',
    'removable',
    'withdrawn',
  ])('should refuse the id %j', (name) => {
    expect(isIdentifier(name)).toBe(false);
  });
});
