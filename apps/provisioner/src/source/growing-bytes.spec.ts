import { GrowingBytes } from './growing-bytes.js';

describe(GrowingBytes.name, () => {
  it('should keep what was written however far they grow, and be zeros elsewhere', () => {
    const bytes = new GrowingBytes();
    const lengths = [1, 256, 300, 65_535, 65_536, 65_537, 70_000, 200_000, 5_000_000];
    for (const length of lengths) bytes.reach(length)[length - 1] = 1;
    const written = bytes.reach(1);
    expect(written.length).toBeGreaterThanOrEqual(5_000_000);
    expect(lengths.map((length) => written[length - 1])).toEqual(lengths.map(() => 1));
    expect(written.reduce((sum, byte) => sum + byte, 0)).toBe(lengths.length);
  });

  it.each([0, 100, 65_537, 5_000_000])('should bear being released again with %i of them', (length) => {
    const bytes = new GrowingBytes();
    bytes.reach(length);
    bytes.release();
    expect(() => {
      bytes.release();
    }).not.toThrow();
  });
});
