import { Client } from 'pg';
import { type Cluster, prepareCluster } from '../postgres/cluster.ts';
import { answers, databaseUrl, spawnServer } from '../postgres/server.ts';
import type { ProcessDescription } from '../processes/supervised-process.ts';
import { CannotStartError } from './cannot-start.error.ts';

const databases = ['catalog', 'queue'] as const;

/** The Postgres that a system brings along, with a database for the catalog and one for the queue. */
export class EmbeddedPostgres {
  private readonly cluster: Cluster;
  private readonly port: number;

  private constructor(cluster: Cluster, port: number) {
    this.cluster = cluster;
    this.port = port;
  }

  /** Finds or makes the cluster in the folder. Nothing runs yet. */
  static async prepare(folder: string, port: number): Promise<EmbeddedPostgres> {
    try {
      return new EmbeddedPostgres(await prepareCluster(folder), port);
    } catch (cause) {
      throw new CannotStartError(`The embedded Postgres cannot be made: ${(cause as Error).message}`, cause);
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

  /** Makes the databases that are not there yet; the server must be running. */
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
