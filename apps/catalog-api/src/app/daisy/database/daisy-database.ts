import { Client } from 'pg';
import { UsageError } from '@rdc/cli';
import { readRelease, type DaisyRelease } from './daisy-release.js';
import { forOlderTables } from './older-tables.js';

/** The number of rows that are read at once. */
const batchSize = 500;

/**
 * The database of a DAISY. All reads see the state at the time of the opening, even while the DAISY is in use, and the
 * connection cannot write.
 */
export class DaisyDatabase {
  private cursors = 0;

  private constructor(
    private readonly client: Client,
    private readonly release: DaisyRelease,
    /** The host and the name of the database. */
    readonly name: string,
  ) {}

  /**
   * Connects to a database.
   *
   * @param timeZone the time zone of the DAISY, in which an access starts and ends
   * @throws UsageError if the database does not answer or is not the database of a supported DAISY
   */
  static async open(url: string, timeZone: string): Promise<DaisyDatabase> {
    const client = new Client({ connectionString: url, application_name: 'catalog import daisy' });
    // An error between two statements also fails the next statement.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw new UsageError(`The database of the DAISY does not answer: ${(error as Error).message}`);
    }
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(`SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL jit = off`);
      await setTimeZone(client, timeZone);
      return new DaisyDatabase(client, await readRelease(client), `${client.host}/${String(client.database)}`);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** The version of the DAISY, e.g. `1.11`. */
  get version(): string {
    return this.release.version;
  }

  /** Returns all rows of a statement. */
  async all<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.client.query<Row>(this.adapt(statement), [...values]);
    return rows;
  }

  /** Yields the rows of a statement in batches, so that memory stays flat. */
  async *batches<Row extends object>(statement: string): AsyncGenerator<Row[]> {
    const cursor = `daisy_${String(++this.cursors)}`;
    await this.client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${this.adapt(statement)}`);
    for (;;) {
      const { rows } = await this.client.query<Row>(`FETCH ${String(batchSize)} FROM ${cursor}`);
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) break;
    }
    await this.client.query(`CLOSE ${cursor}`);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Statements are written for the tables of the latest version. */
  private adapt(statement: string): string {
    return forOlderTables(statement, this.release.migration);
  }
}

/** Sets the time zone that {@link startOfDay} uses. */
async function setTimeZone(client: Client, timeZone: string): Promise<void> {
  await client.query(`SELECT now() AT TIME ZONE $1, set_config('daisy.time_zone', $1, true)`, [timeZone]).catch(() => {
    throw new UsageError(`--time-zone ${timeZone} is not a time zone, such as Europe/Luxembourg.`);
  });
}

/** Returns the SQL of the instant at which a day starts in the time zone of the DAISY. */
export function startOfDay(day: string): string {
  return `((${day})::timestamp AT TIME ZONE current_setting('daisy.time_zone'))`;
}
