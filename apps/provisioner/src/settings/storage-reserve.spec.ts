import { StorageReserve } from './storage-reserve.js';

const gibibyte = 1024 ** 3;
const space = { bytes: 100 * gibibyte, capacity: 1000 * gibibyte };

describe(StorageReserve.name, () => {
  it.each([
    ['0', 0],
    ['10G', 10 * gibibyte],
    ['5%', 50 * gibibyte],
    [' 2.5 % ', 25 * gibibyte],
    ['20%', 200 * gibibyte],
  ])('should keep the reserve %s free', (text, bytes) => {
    expect(StorageReserve.parse(text)?.bytesOf(space)).toBe(bytes);
    expect(StorageReserve.parse(text)?.roomIn(space)).toBe(Math.max(0, space.bytes - bytes));
  });

  it.each(['', '%', '100%', '-1', '-5%', '5 percent', '1e3%'])('should return null for the text %j', (text) => {
    expect(StorageReserve.parse(text)).toBeNull();
  });

  it('should keep nothing free when the capacity of the storage is unknown', () => {
    const unknown = { bytes: Number.POSITIVE_INFINITY, capacity: Number.POSITIVE_INFINITY };
    expect(StorageReserve.parse('5%')?.roomIn(unknown)).toBe(Number.POSITIVE_INFINITY);
  });
});
