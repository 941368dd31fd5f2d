import { parseBoolean, parseBytes, parseList, parseNumber } from './parsers.js';

describe(parseBytes.name, () => {
  it.each([
    ['1048576', 1048576],
    ['16M', 16 * 1024 ** 2],
    ['2GiB', 2 * 1024 ** 3],
    [' 1.5 kb ', 1536],
    ['0', 0],
    ['1T', 1024 ** 4],
    ['M', Number.NaN],
    ['-1M', Number.NaN],
    ['16MM', Number.NaN],
    ['1e3', Number.NaN],
  ])('should read %j as %d bytes', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });
});

describe(parseBoolean.name, () => {
  it.each([
    ['true', true],
    [' False ', false],
    ['1', '1'],
    ['', ''],
  ])('should read %j as %j', (text, value) => {
    expect(parseBoolean(text)).toBe(value);
  });
});

describe(parseNumber.name, () => {
  it.each([
    ['12', 12],
    [' ', Number.NaN],
    ['12 apples', Number.NaN],
  ])('should read %j as %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });
});

describe(parseList.name, () => {
  it('should trim entries and drop empty ones', () => {
    expect(parseList(' a,, b c ,')).toEqual(['a', 'b c']);
  });
});
