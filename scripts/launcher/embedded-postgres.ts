import { Client } from 'pg';
import { type Cluster, prepareCluster } from '../postgres/cluster.ts';
import { answers, databaseUrl, spawnServer } from '../postgres/server.ts';
import type { ProcessDescription } from '../processes/supervised-process.ts';
import { CannotStartError } from './cannot-start.error.ts';

const databases = ['catalog', 'queue'] as const;

/** The Postgres of a system without `DATABASE_URL`, with one database for the catalog and one for the queue. */
export class EmbeddedPostgres {
  private readonly cluster: Cluster;
  private readonly port: number;

  private constructor(cluster: Cluster, port: number) {
    this.cluster = cluster;
    this.port = port;
  }

  /**
   * Opens the cluster in the folder, or creates it. The server is not started.
   *
   * @throws CannotStartError if the cluster cannot be created or run
   */
  static async prepare(folder: string, port: number): Promise<EmbeddedPostgres> {
    try {
      return new EmbeddedPostgres(await prepareCluster(folder), port);
    } catch (cause) {
      throw new CannotStartError(`The embedded Postgres cannot be prepared: ${(cause as Error).message}`, cause);
    }
  }

  urlOf(database: (typeof databases)[number] | 'postgres'): string {
    return databaseUrl(this.cluster, this.port, database);
  }

  get process(): ProcessDescription {
    return {
      name: 'postgres',
      spawn: (logFile) => spawnServer(this.cluster, { port: this.port, logFile }),
      isReady: () => answers(this.urlOf('postgres')),
      stopSignal: 'SIGINT',
    };
  }

  /** Creates the missing databases. The server must be running. */
  async createDatabases(): Promise<void> {
    const client = new Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    try {
      const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
      const present = new Set(rows.map((row) => row.datname));
      for (const name of databases) if (!present.has(name)) await client.query(`CREATE DATABASE ${name}`);
    } finally {
      await client.end();
    }
  }
}
