import { GlobalKey } from './global-key.js';

describe(GlobalKey.name, () => {
  const key = 'k'.repeat(32);
  const previous = 'p'.repeat(32);
  const only = (GLOBAL_API_KEY?: string): GlobalKey =>
    new GlobalKey(GLOBAL_API_KEY === undefined ? {} : { GLOBAL_API_KEY });

  it('should match only the key when no previous key is set', () => {
    expect(only(key).matches(key)).toBe(true);
    expect(only(key).matches(`${key}k`)).toBe(false);
    expect(only(key).warnings).toEqual([]);
  });

  it('should ignore the line end when the setting comes from a file', () => {
    expect(only(`${key}\n`).matches(key)).toBe(true);
    expect(only(`${key.slice(1)}\n`).warnings).toEqual([expect.stringContaining('31 characters')]);
  });

  it.each([undefined, '', ' \n'])('should not match any text when it is %j', (none) => {
    expect(only(none).matches(none ?? '')).toBe(false);
    expect(only(none).matches('')).toBe(false);
    expect(only(none).warnings).toEqual([expect.stringContaining('not set')]);
  });

  it('should match the previous key and warn when a rotation is in progress', () => {
    const both = new GlobalKey({ GLOBAL_API_KEY: key, GLOBAL_API_KEY_PREVIOUS: previous });
    expect([key, previous, ''].map((each) => both.matches(each))).toEqual([true, true, false]);
    expect(both.warnings).toEqual([expect.stringContaining('GLOBAL_API_KEY_PREVIOUS is set')]);
    expect(only(key).matches(previous)).toBe(false);
  });
});
