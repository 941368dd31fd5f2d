import { checked } from './read-document.js';
import type { RecordKind } from './record-kind.js';

describe(checked.name, () => {
  it('should yield to other work when a large document is validated and normalized', async () => {
    const order: string[] = [];
    const kind = {
      schema: { type: 'object', properties: { metadata: { contentMediaType: 'application/json' } } },
      check: () => {
        order.push('normal form');
        return [];
      },
    } as unknown as RecordKind;
    const metadata = Object.fromEntries(
      Array.from({ length: 90_000 }, (_, at) => [`member${String(at)}`, 'a'.repeat(50)]),
    );
    setImmediate(() => order.push('other work'));
    await checked(kind, { metadata });
    expect(order).toEqual(['other work', 'normal form']);
  });
});
