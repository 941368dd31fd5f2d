import { columnsOf, rowsOf } from './columns.js';

describe(columnsOf.name, () => {
  it('should be reversed by rowsOf', () => {
    const rows: { readonly id: number; readonly name?: string }[] = [{ id: 1 }, { id: 2, name: 'b' }];
    const columns = columnsOf(rows, ['id', 'name']);
    expect(columns).toEqual({ id: [1, 2], name: [undefined, 'b'] });
    expect(rowsOf(columns)).toStrictEqual(rows);
    expect(rowsOf(columnsOf([], ['id']))).toEqual([]);
  });
});
