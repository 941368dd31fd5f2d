import { globalKey, startCatalog, type RunningCatalog } from '../../../apps/catalog-api/test/catalog.ts';
import { TestSystem } from '../../../apps/provisioner/test/support/system.ts';
import { ForwardingHeaders } from '../../../scripts/gateway/forwarding-headers.ts';
import { Gateway } from '../../../scripts/gateway/gateway.ts';
import { buildServices } from '../../support/service-process.ts';

/** The administrator of the tests. */
export const admin = { login: 'ada@example.org', password: 'correct horse battery staple' };

const shared = {
  SESSION_SECRET: 'the session secret that both services have',
  GATEWAY_SECRET: 'the secret by which they know their gateway',
  RATE_LIMIT_FAILED_LOGINS: '0',
};

const provisionerKey = `rdcs_${'k'.repeat(48)}`;

/** Both services and a worker of one suite, behind one origin with the built console. */
export class ConsoleSystem {
  /** `http://127.0.0.1:<port>`; empty until it is started. */
  origin = '';
  catalog!: RunningCatalog;
  provisioner!: TestSystem;
  private readonly parts: (() => Promise<void>)[] = [];

  /** Builds outdated workspaces, and starts the system with an empty catalog and an empty source. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await buildServices();
    // The gateway starts first, because the services require its origin and no other program may take its port.
    const ports = { 'catalog-api': 0, provisioner: 0 };
    const gateway = new Gateway({ ports, headers: new ForwardingHeaders(shared.GATEWAY_SECRET, []) });
    this.origin = `http://127.0.0.1:${String(await gateway.listen(0, '127.0.0.1'))}`;
    this.parts.unshift(() => gateway.close());
    const people = { ADMIN_EMAIL: admin.login, ADMIN_PASSWORD: admin.password };
    const catalog = await startCatalog({
      ...shared,
      ...people,
      SERVER_URL: this.origin,
      PROVISIONER_API_KEY: provisionerKey,
      ...settings,
    });
    this.parts.push(() => catalog.stop());
    const connection = { CATALOG_URL: catalog.url, CATALOG_API_KEY: provisionerKey };
    const provisioner = await TestSystem.create({ ...shared, ...connection, ...settings });
    this.parts.push(() => provisioner.stop());
    await provisioner.startServer();
    await provisioner.startWorker();
    Object.assign(ports, { 'catalog-api': portOf(catalog.url), provisioner: portOf(provisioner.url) });
    Object.assign(this, { catalog, provisioner });
  }

  /** Creates a person with the administrator's local password. */
  async addPerson(email: string, roles: readonly string[]): Promise<void> {
    await this.catalog.dataSource.query(
      `INSERT INTO users (email, first_name, last_name, roles, password_hash)
       SELECT $1, 'Test', $1, $2, password_hash FROM users WHERE email = $3`,
      [email, roles, admin.login],
    );
  }

  /** Sends a request to the catalog with the global key, like an operator's script. @throws Error if it is refused */
  async send<T = unknown>(method: string, path: string, body: object = {}): Promise<T> {
    const answer = await this.catalog.fetch(path, { method, key: globalKey, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} failed with status ${String(answer.status)}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Returns the current record or list of the catalog. */
  async stored<T = Record<string, unknown>>(path: string): Promise<T> {
    return (await (await this.catalog.fetch(path, { key: globalKey })).json()) as T;
  }

  async stop(): Promise<void> {
    for (const stop of this.parts) await stop();
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
