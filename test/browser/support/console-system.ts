import { startCatalog, type RunningCatalog } from '../../../apps/catalog-api/test/catalog.ts';
import { TestSystem } from '../../../apps/provisioner/test/support/system.ts';
import { freePort } from '../../../scripts/free-port.ts';
import { ForwardingHeaders } from '../../../scripts/gateway/forwarding-headers.ts';
import { Gateway } from '../../../scripts/gateway/gateway.ts';
import { buildServices } from '../../support/service-process.ts';

/** Who may do everything in a test. */
export const admin = { login: 'ada@example.org', password: 'correct horse battery staple' };

const shared = {
  SESSION_SECRET: 'the session secret that both services have',
  GATEWAY_SECRET: 'the secret by which they know their gateway',
  RATE_LIMIT_FAILED_LOGINS: '0',
};

/** Both services and a worker behind one origin, with the built console: all of it real, and of one suite's own. */
export class ConsoleSystem {
  private constructor(
    /** `http://127.0.0.1:<port>` */
    readonly origin: string,
    readonly catalog: RunningCatalog,
    readonly provisioner: TestSystem,
    private readonly gateway: Gateway,
  ) {}

  /** Builds what is not built, and starts everything with an empty catalog and an empty source. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleSystem> {
    await buildServices();
    const port = await freePort();
    const origin = `http://127.0.0.1:${String(port)}`;
    const people = { ADMIN_EMAIL: admin.login, ADMIN_PASSWORD: admin.password };
    const catalog = await startCatalog({ ...shared, ...people, SERVER_URL: origin, ...settings });
    const provisioner = await TestSystem.create({ ...shared, ...settings });
    await provisioner.startServer();
    await provisioner.startWorker();
    const ports = { 'catalog-api': portOf(catalog.url), provisioner: portOf(provisioner.url) };
    const gateway = new Gateway({ ports, headers: new ForwardingHeaders(shared.GATEWAY_SECRET, []) });
    await gateway.listen(port, '127.0.0.1');
    return new ConsoleSystem(origin, catalog, provisioner, gateway);
  }

  /** Makes a person with a local password, the same as the administrator's. */
  async addPerson(email: string, roles: readonly string[]): Promise<void> {
    await this.catalog.dataSource.query(
      `INSERT INTO users (email, first_name, last_name, roles, password_hash)
       SELECT $1, 'Test', $1, $2, password_hash FROM users WHERE email = $3`,
      [email, roles, admin.login],
    );
  }

  async stop(): Promise<void> {
    await this.gateway.close();
    await this.provisioner.stop();
    await this.catalog.stop();
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
