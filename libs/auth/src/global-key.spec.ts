import { GlobalKey } from './global-key.js';

describe(GlobalKey.name, () => {
  const key = 'k'.repeat(32);

  it('should match itself alone', () => {
    expect(new GlobalKey(key).matches(key)).toBe(true);
    expect(new GlobalKey(key).matches(`${key}k`)).toBe(false);
    expect(new GlobalKey(key).warning).toBeNull();
  });

  it('should match without the line end of the file that the setting came from', () => {
    expect(new GlobalKey(`${key}\n`).matches(key)).toBe(true);
    expect(new GlobalKey(`${key.slice(1)}\n`).warning).toContain('31 characters');
  });

  it.each([undefined, '', ' \n'])('should match nothing when it is %j', (none) => {
    expect(new GlobalKey(none).matches(none ?? '')).toBe(false);
    expect(new GlobalKey(none).matches('')).toBe(false);
    expect(new GlobalKey(none).warning).toContain('not set');
  });
});
