import { jsonOf } from './json-body.js';

describe(jsonOf.name, () => {
  const read = (text: string): Promise<unknown> => jsonOf(Buffer.from(text));

  it.each([String.raw`{"name":"\ud83d\ude00 \\ud83d"}`, '{"name":"😀"}', String.raw`["\u00e9", 1, null, {"a": []}]`])(
    'should return the value when the text is %s',
    async (text) => {
      expect(await read(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    ['the character NUL', String.raw`{"name":"a\u0000"}`],
    ['half of a surrogate pair', String.raw`{"name":"a\ud83d"}`],
    ['the other half', String.raw`["\uDE00\uD83D"]`],
    ['half of a surrogate pair in a member name', String.raw`{"\ud83d":1}`],
    ['NUL at the deepest level', String.raw`${'['.repeat(100)}"\u0000"${']'.repeat(100)}`],
    ['NUL after many values', String.raw`[${'1,'.repeat(90_000)}"\u0000"]`],
  ])('should refuse JSON when it contains %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow('which cannot be stored');
  });

  it('should accept JSON when it has at most 100 levels and 100,000 values', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const list = (values: number): string => `[${'1,'.repeat(values - 2)}1]`;
    await expect(read(nested(100))).resolves.toBeDefined();
    await expect(read(nested(101))).rejects.toThrow('nested at most 100 deep');
    await expect(read(list(100_000))).resolves.toHaveLength(99_999);
    await expect(read(list(100_002))).rejects.toThrow('at most 100000 values');
  });
});
