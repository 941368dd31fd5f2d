import { jsonOf } from './json-body.js';

describe(jsonOf.name, () => {
  const read = (text: string): unknown => jsonOf(Buffer.from(text));

  it.each([String.raw`{"name":"\ud83d\ude00 \\ud83d"}`, '{"name":"😀"}', String.raw`["\u00e9", 1, null, {"a": []}]`])(
    'should read %s',
    (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    ['the character NUL', String.raw`{"name":"a\u0000"}`],
    ['half of a character', String.raw`{"name":"a\ud83d"}`],
    ['the other half', String.raw`["\uDE00\uD83D"]`],
    ['a member with half of a character', String.raw`{"\ud83d":1}`],
    ['one far down', String.raw`${'['.repeat(100_000)}"\u0000"${']'.repeat(100_000)}`],
    ['one behind many', String.raw`[${'1,'.repeat(300_000)}"\u0000"]`],
  ])('should refuse %s', (_, text) => {
    expect(() => read(text)).toThrow('which cannot be stored');
  });
});
