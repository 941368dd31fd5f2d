import { PackedNames } from './packed-names.js';
import { Spellings } from './spellings.js';

describe(Spellings.name, () => {
  function twins(names: readonly string[]): (string | undefined)[] {
    const packed = new PackedNames();
    const spellings = new Spellings(packed);
    return names.map((name) => spellings.twinOf(packed.add(Buffer.from(name).toString('latin1'))));
  }

  it('should name the last that differs by case or Unicode form only', () => {
    expect(twins(['Read', 'read', 'READ', 'reader', '[ad', '{ad'])).toEqual([
      ...[undefined, 'Read', 'read'],
      ...[undefined, undefined, undefined],
    ]);
    expect(twins(['e\u0301', 'e', '\u00e9', '\u00c9'])).toEqual([undefined, undefined, 'e\u0301', '\u00e9']);
    expect(twins(['K', '\u212a', 'same', 'same'])).toEqual([undefined, 'K', undefined, 'same']);
  });

  it('should find the twins of thousands, and nothing else', () => {
    const one = Array.from({ length: 5000 }, (_, at) => `IMG_${String(at)}.jpg`);
    expect(twins(one).filter((twin) => twin !== undefined)).toEqual([]);
    expect(twins([...one, ...one.map((name) => name.toLowerCase())]).slice(one.length)).toEqual(one);
  });
});
