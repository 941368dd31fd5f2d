/** Rows as one array for each property. This form takes half the time and bytes to serialise. */
export type Columns<Row> = { readonly [Property in keyof Row]-?: readonly Row[Property][] };

/** Converts rows to columns. @param properties every property that a row can have */
export function columnsOf<Row>(rows: readonly Row[], properties: readonly (keyof Row)[]): Columns<Row> {
  return Object.fromEntries<unknown>(properties.map((name) => [name, rows.map((row) => row[name])])) as Columns<Row>;
}

/** Converts columns to rows. Properties with the value undefined are omitted. */
export function rowsOf<Row>(columns: Columns<Row>): Row[] {
  const rows: Partial<Row>[] = [];
  for (const name in columns) {
    for (const [at, value] of columns[name].entries()) {
      const row = (rows[at] ??= {});
      if (value !== undefined) row[name] = value;
    }
  }
  return rows as Row[];
}
