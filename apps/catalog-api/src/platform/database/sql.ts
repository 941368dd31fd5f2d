import { escapeLiteral } from 'pg';

/** What can stand as a value in a statement. Say its type in the SQL (`${id}::integer`) wherever it is not text. */
export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[];

/** A piece of a statement and the values in it. Made by {@link sql} only, so that no value is ever pasted as text. */
export class Sql {
  constructor(
    private readonly texts: readonly string[],
    private readonly values: readonly (SqlValue | Sql)[],
  ) {}

  /** The statement with `$n`, and what stands for them. */
  toQuery(): { text: string; values: SqlValue[] } {
    const values: SqlValue[] = [];
    const text = this.render((value) => `$${String(values.push(value))}`);
    return { text, values };
  }

  /** The statement with its values written out as literals, for `COPY`, which takes no parameters. */
  toLiteral(): string {
    return this.render(literalOf);
  }

  private render(write: (value: SqlValue) => string): string {
    return this.texts
      .map((text, index) => {
        if (index === 0) return text;
        const value = this.values[index - 1] ?? null;
        return (value instanceof Sql ? value.render(write) : write(value)) + text;
      })
      .join('');
  }
}

/** A piece of SQL: pieces among the values are put in their place, every other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(texts, values);
}

/** SQL that is written in the source, never made of what a caller sent. */
export function fixedSql(text: string): Sql {
  return new Sql([text], []);
}

/** Every one of the conditions; true when there is none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, condition) => sql`${all} AND (${condition})`, sql`true`);
}

function literalOf(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'object') return value.length === 0 ? `'{}'` : `ARRAY[${value.map(literalOf).join(', ')}]`;
  return escapeLiteral(String(value));
}
