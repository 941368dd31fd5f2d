import { backupTypes, type BackupTable } from './backup-format.js';
import { columnsOf, isImplied, type TableColumns } from './table-columns.js';

/** One row to be inserted, by column. */
type Row = Readonly<Record<string, unknown>>;

/** The error of an invalid record. The message follows "line 12: ". */
export class BadRecordError extends Error {
  override readonly name = BadRecordError.name;
}

/** Converts records of a backup to rows of tables. Counts nested rows to number them, so use one object per import. */
export class BackupRows {
  private readonly lastIds = new Map<string, number>();

  constructor(private readonly columns: TableColumns) {}

  /**
   * Returns the rows of one record as JSON, by table, in the order of insertion. The row of the record itself is the
   * unchanged line, because JavaScript would lose digits of large numbers in the metadata.
   *
   * @throws BadRecordError if the record is invalid
   * @throws SyntaxError if the line is not JSON
   */
  of(line: string): Map<string, string[]> {
    const { record, ...members } = objectOf(JSON.parse(line), 'a record');
    const table = typeof record === 'string' ? backupTypes[record] : undefined;
    if (!table) {
      throw new BadRecordError(`record must be one of ${Object.keys(backupTypes).join(', ')}`);
    }
    if (!Number.isSafeInteger(members['id'])) throw new BadRecordError('id must be a whole number');
    const rows = new Map<string, Row[]>();
    this.add(table, members, {}, rows, '');
    const textsOf = (name: string, some: readonly Row[]): string[] =>
      name === table.table ? [line] : some.map((row) => JSON.stringify(row));
    return new Map([...rows].map(([name, some]) => [name, textsOf(name, some)]));
  }

  private add(table: BackupTable, members: Row, implied: Row, rows: Map<string, Row[]>, path: string): void {
    this.refuseUnknown(table, members, path);
    const links = Object.entries(table.links ?? {});
    const children = Object.entries(table.children ?? {});
    const nested = new Set([...links, ...children].map(([member]) => member));
    const row = { ...Object.fromEntries(Object.entries(members).filter(([name]) => !nested.has(name))), ...implied };
    push(rows, table.table, row);
    for (const [member, { table: linkTable, parent, value, siblings }] of links) {
      listOf(members, member, path).forEach((listed, position) => {
        const id = siblings ? siblingId(rows.get(siblings), listed, `${path}${member}`) : listed;
        push(rows, linkTable, { [parent]: row['id'], [value]: id, position });
      });
    }
    for (const [member, child] of children) {
      listOf(members, member, path).forEach((inner, position) => {
        const at = `${path}${member}[${String(position)}]`;
        const place = { id: this.nextId(child.table), [String(child.parent)]: row['id'], position };
        this.add(child, objectOf(inner, at), place, rows, `${at}.`);
      });
    }
  }

  private refuseUnknown(table: BackupTable, members: Row, path: string): void {
    const known = columnsOf(this.columns, table.table)
      .map(({ name }) => name)
      .filter((name) => !isImplied(name, table.parent));
    const all = new Set([...known, ...Object.keys(table.links ?? {}), ...Object.keys(table.children ?? {})]);
    const unknown = Object.keys(members).find((member) => !all.has(member));
    if (unknown !== undefined) throw new BadRecordError(`${path}${unknown} is not a recognised property`);
  }

  private nextId(table: string): number {
    const id = (this.lastIds.get(table) ?? 0) + 1;
    this.lastIds.set(table, id);
    return id;
  }
}

function push(rows: Map<string, Row[]>, table: string, row: Row): void {
  const sofar = rows.get(table);
  if (sofar) sofar.push(row);
  else rows.set(table, [row]);
}

function listOf(members: Row, member: string, path: string): readonly unknown[] {
  const value = members[member] ?? [];
  if (!Array.isArray(value)) throw new BadRecordError(`${path}${member} must be an array`);
  return value;
}

function objectOf(value: unknown, path: string): Row {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new BadRecordError(`${path} must be an object`);
  }
  return value as Row;
}

function siblingId(siblings: readonly Row[] | undefined, title: unknown, path: string): unknown {
  const found = siblings?.find((row) => row['title'] === title);
  if (!found)
    throw new BadRecordError(
      `${path} must contain only titles of data declarations of the same dataset: ${JSON.stringify(title)} is not one`,
    );
  return found['id'];
}
