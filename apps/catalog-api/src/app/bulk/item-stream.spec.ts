import { itemTexts } from './item-stream.js';

async function itemsOf(text: string | Uint8Array, chunk = 1): Promise<unknown[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield await Promise.resolve(bytes.subarray(at, at + chunk));
  })();
  const items: unknown[] = [];
  for await (const item of itemTexts(chunks)) items.push(JSON.parse(item));
  return items;
}

describe(itemTexts.name, () => {
  const items = [
    { name: 'a "quoted\\" } ] , {' },
    { list: [1, [2], {}], items: [5] },
    7,
    'x',
    [],
    { name: 'Zürich 🧬' },
  ];

  it.each([1, 2, 3, 7, 1000])('should yield the items of {"items": [...]} in chunks of %i bytes', async (chunk) => {
    const text = JSON.stringify({ $schema: 'items', other: { items: [0] }, items, more: [{ a: 1 }] }, null, 2);
    expect(await itemsOf(text, chunk)).toEqual(items);
  });

  it.each([1, 5, 1000])('should yield the items of NDJSON in chunks of %i bytes', async (chunk) => {
    const lines = [items[0], items[1], items[5]];
    expect(await itemsOf(`\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n\n`, chunk)).toEqual(lines);
    expect(await itemsOf(JSON.stringify(lines[0]), chunk)).toEqual([lines[0]]);
  });

  it('should yield the items of a list response', async () => {
    expect(await itemsOf('{"results":[{"name":"a"}]}')).toEqual([{ name: 'a' }]);
  });

  it('should yield no items when the list is empty', async () => {
    expect(await itemsOf('{"items":[]}')).toEqual([]);
    expect(await itemsOf('{"items": [ \n ] }')).toEqual([]);
  });

  it.each([
    '',
    '  ',
    '[]',
    '"x"',
    '5',
    '{"items":[{}',
    '{"items":[{}]',
    '{',
    '{"a":"',
    '{}}',
    '{"items":[]}{}',
    'nonsense',
    ']',
  ])('should refuse the body %j', async (text) => {
    await expect(itemsOf(text)).rejects.toThrow('must be {"items": [...]}');
  });

  it('should refuse a body that is not UTF-8', async () => {
    await expect(itemsOf(Uint8Array.of(0x7b, 0xff, 0x7d))).rejects.toThrow('in UTF-8');
  });

  it('should refuse an item larger than 16 MB', async () => {
    await expect(itemsOf(`{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`, 65_536)).rejects.toThrow('items of at most 16 MB');
  });
});
