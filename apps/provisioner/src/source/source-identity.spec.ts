import { checkIdentity } from './source-identity.js';

describe(checkIdentity.name, () => {
  const check = (expected: string | undefined, text: string | null): Promise<void> =>
    checkIdentity(expected, () => Promise.resolve(text));

  it.each([
    [undefined, null],
    ['landing-zone-1', 'landing-zone-1'],
    ['landing-zone-1', ' landing-zone-1\r\n'],
  ])('should accept the source when %s is expected and the file contains %j', async (expected, text) => {
    await expect(check(expected, text)).resolves.toBeUndefined();
  });

  it.each([
    [null, 'has no file .source-id'],
    ['landing-zone-2', 'has another identity'],
    ['', 'has another identity'],
  ])('should refuse the source when the file contains %j', async (text, message) => {
    await expect(check('landing-zone-1', text)).rejects.toThrow(message);
  });
});
