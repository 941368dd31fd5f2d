import { partBytesFor } from './object-upload.js';

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

describe(partBytesFor.name, () => {
  it.each([0, 1, 8 * mebibyte, 50 * gibibyte, 70 * gibibyte, 71 * gibibyte, 5 * 1024 * gibibyte])(
    'should return parts that every store accepts when an object has %d bytes',
    (size) => {
      const part = partBytesFor(size);
      expect(Math.ceil(size / part)).toBeLessThanOrEqual(9_000);
      expect(part % mebibyte).toBe(0);
      expect(part).toBeGreaterThanOrEqual(8 * mebibyte);
      expect(part).toBeLessThan(5 * gibibyte);
    },
  );

  it('should return the smallest parts that the limit of parts allows', () => {
    expect(partBytesFor(70 * gibibyte)).toBe(8 * mebibyte);
    expect(partBytesFor(1024 * gibibyte)).toBe(117 * mebibyte);
  });
});
