import { CaseVariants } from './case-variants.js';

describe(CaseVariants.name, () => {
  /** Returns, for each name, the case variant among the names before. */
  function variantsOf(names: readonly string[]): (string | undefined)[] {
    const variants = new CaseVariants();
    return names.map((name) => variants.add(name));
  }

  it('should return the last name that differs by case only', () => {
    expect(variantsOf(['Read', 'read', 'READ', 'reader', '[ad', '{ad'])).toEqual([
      ...[undefined, 'Read', 'read'],
      ...[undefined, undefined, undefined],
    ]);
    expect(variantsOf(['K', '\u212a', 'same', 'same'])).toEqual([undefined, 'K', undefined, 'same']);
  });

  it('should return the last name that differs by Unicode form only', () => {
    expect(variantsOf(['e\u0301', 'e', '\u00e9', '\u00c9'])).toEqual([undefined, undefined, 'e\u0301', '\u00e9']);
  });

  it('should return no name when all of thousands of names differ', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `IMG_${String(at)}.jpg`);
    expect(variantsOf(names).filter((variant) => variant !== undefined)).toEqual([]);
  });
});
