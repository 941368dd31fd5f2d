import { escapeLiteral } from 'pg';

/** A value in a statement. If the value is not text, write its type in the SQL: `${id}::integer`. */
export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[];

/** A part of a statement with its values. Only {@link sql} creates it, so a value never becomes part of the text. */
export class Sql {
  constructor(
    private readonly texts: readonly string[],
    private readonly values: readonly (SqlValue | Sql)[],
  ) {}

  /** Returns the statement with `$n` parameters, and their values. */
  toQuery(): { text: string; values: SqlValue[] } {
    const values: SqlValue[] = [];
    const text = this.render((value) => `$${String(values.push(value))}`);
    return { text, values };
  }

  /** Returns the statement with its values as literals, for `COPY`, which accepts no parameters. */
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

/** Creates SQL from a template. A value that is itself SQL is inserted; every other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(texts, values);
}

/** Creates SQL from a text, which must not contain any part of a request. */
export function fixedSql(text: string): Sql {
  return new Sql([text], []);
}

/** Returns the conjunction of the conditions, which is true if there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, condition) => sql`${all} AND (${condition})`, sql`true`);
}

function literalOf(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'object') return value.length === 0 ? `'{}'` : `ARRAY[${value.map(literalOf).join(', ')}]`;
  return escapeLiteral(String(value));
}
