import { ForwardingHeaders } from '../gateway/forwarding-headers.ts';
import { Gateway } from '../gateway/gateway.ts';
import { stopLeftovers } from '../processes/leftovers.ts';
import { pickPorts } from '../processes/ports.ts';
import { type ProcessDescription, SupervisedProcess } from '../processes/supervised-process.ts';
import { buildWhatIsNotBuilt } from './build.ts';
import { CatalogCommand } from './catalog-command.ts';
import type { DataFolder } from './data-folder.ts';
import { EmbeddedPostgres } from './embedded-postgres.ts';
import {
  keptAdministrator,
  type KeptSecrets,
  keptGlobalKey,
  keptSecrets,
  newSecret,
  type SampleKeys,
} from './kept-secrets.ts';
import { type LauncherSettings, originOf } from './launcher-settings.ts';
import { listenErrorOf } from './origin-port.ts';
import { Sample } from './sample.ts';
import {
  describeSampleProvider,
  type IdentityProviderSettings,
  sampleProviderSettings,
} from './sample-identity-provider.ts';
import {
  describeService,
  type ServiceDefaults,
  serviceEnvironment,
  serviceNames,
  type ServiceProcess,
} from './services.ts';

/** Options of a system. */
export interface SystemOptions {
  /** Absolute path of the checkout. */
  readonly root: string;
  readonly settings: LauncherSettings;
  readonly environment: NodeJS.ProcessEnv;
  /** The data folder, locked by this process. */
  readonly folder: DataFolder;
  readonly say: (line: string) => void;
  /** The service that runs from its sources and restarts after each change; unset: none. */
  readonly fromSources?: ServiceProcess | undefined;
}

/** A system that accepts requests. */
export interface RunningSystem {
  readonly origin: string;
  readonly keys: SampleKeys;
  /** Whether this start created the sample. */
  readonly isFirstStart: boolean;
  /** The inner ports, on 127.0.0.1, of the running programs. */
  readonly ports: Readonly<Partial<Record<ServiceProcess | 'postgres' | 'identity-provider', number>>>;
}

type DatabaseUrls = Record<'DATABASE_URL' | 'QUEUE_URL', string>;

const everyProcess = [
  ...serviceNames.map((name) => ({ name, stopSignal: 'SIGTERM' as const })),
  { name: 'identity-provider', stopSignal: 'SIGTERM' as const },
  { name: 'postgres', stopSignal: 'SIGINT' as const },
];

/** The whole system on this machine, as `npm start` runs it. */
export class System {
  private readonly stopping = new AbortController();
  private readonly services: SupervisedProcess[] = [];
  private database: SupervisedProcess | undefined;
  private gateway: Gateway | undefined;
  private starting: Promise<RunningSystem> | undefined;
  private readonly options: SystemOptions;

  constructor(options: SystemOptions) {
    this.options = options;
  }

  /**
   * Starts all programs and resolves when the origin accepts requests.
   *
   * @throws CannotStartError if a program cannot start; the caller must call `stop` then too
   */
  start(): Promise<RunningSystem> {
    this.starting = this.startAll();
    return this.starting;
  }

  /** Stops all programs, the origin first and the database last. May be called during `start`. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.starting?.catch(() => undefined);
    await this.gateway?.close();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.database?.stop();
  }

  private async startAll(): Promise<RunningSystem> {
    const { root, folder, settings, say } = this.options;
    const { signal } = this.stopping;
    await buildWhatIsNotBuilt({ root, say, signal });
    await stopLeftovers(folder.run, everyProcess, say);
    const ports = await pickPorts(folder.fileOf('run/ports.json'), ['postgres', 'identity-provider', ...serviceNames]);
    const urls = this.givenDatabase() ?? (await this.startDatabase(ports.postgres));
    const gatewaySecret = newSecret();
    const provider = this.sampleProvider(ports['identity-provider']);
    const CATALOG_URL = `http://127.0.0.1:${String(ports['catalog-api'])}`;
    const environment = await this.serviceEnvironment({ ...urls, ...provider, CATALOG_URL }, gatewaySecret);
    const catalog = new CatalogCommand(root, environment, signal);
    await catalog.run('migrate');
    const sample = new Sample({ root, folder, catalog, ports, environment, say, signal });
    await sample.layDeliveries();
    await sample.fillCatalog();
    if (provider) await this.run(describeSampleProvider(ports['identity-provider'], root, provider));
    const runs = serviceNames.map((name) => ({
      ...{ name, port: ports[name], root, environment },
      isFromSources: name === this.options.fromSources,
    }));
    await Promise.all(runs.map((run) => this.run(describeService(run))));
    const isFirstStart = !sample.isDone;
    const keys = await sample.finish();
    signal.throwIfAborted();
    this.gateway = new Gateway({ ports, headers: new ForwardingHeaders(gatewaySecret, settings.trustedProxies) });
    await this.gateway.listen(settings.port, settings.host).catch((cause: unknown) => {
      throw listenErrorOf(cause, settings);
    });
    const { postgres, 'identity-provider': accounts, ...servicePorts } = ports;
    const ownPorts = { ...(this.database && { postgres }), ...(provider && { 'identity-provider': accounts }) };
    return { origin: originOf(settings), keys, isFirstStart, ports: { ...ownPorts, ...servicePorts } };
  }

  private givenDatabase(): DatabaseUrls | undefined {
    const url = this.options.environment['DATABASE_URL']?.trim();
    return url ? { DATABASE_URL: url, QUEUE_URL: url } : undefined;
  }

  /** Returns the sample's identity provider, unless the environment names a database or another identity provider. */
  private sampleProvider(port: number): IdentityProviderSettings | undefined {
    const { environment } = this.options;
    const isOwn = ['DATABASE_URL', 'IDP_PROVIDER'].some((name) => environment[name]?.trim());
    return isOwn ? undefined : sampleProviderSettings(port, newSecret());
  }

  /** Returns the sample's administrator, unless the environment names a database or another administrator. */
  private async sampleAdministrator(): Promise<Pick<ServiceDefaults, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'>> {
    const { environment, folder } = this.options;
    if (['DATABASE_URL', 'ADMIN_EMAIL'].some((name) => environment[name]?.trim())) return {};
    const { email, password } = await keptAdministrator(folder.keysFile);
    return { ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  }

  private async startDatabase(port: number): Promise<DatabaseUrls> {
    const postgres = await EmbeddedPostgres.prepare(this.options.folder.postgres, port);
    this.database = this.supervise(postgres.process);
    await this.database.start();
    await postgres.createDatabases();
    return { DATABASE_URL: postgres.urlOf('catalog'), QUEUE_URL: postgres.urlOf('queue') };
  }

  private async serviceEnvironment(
    found: DatabaseUrls & Partial<IdentityProviderSettings> & { readonly CATALOG_URL: string },
    gatewaySecret: string,
  ): Promise<NodeJS.ProcessEnv> {
    const { folder, environment, settings } = this.options;
    const secrets: KeptSecrets = await keptSecrets(folder.fileOf('secrets.json'));
    const GLOBAL_API_KEY = await keptGlobalKey(folder.keysFile, environment['GLOBAL_API_KEY']);
    const admin = await this.sampleAdministrator();
    const own = {
      ...admin,
      GLOBAL_API_KEY,
      CATALOG_API_KEY: secrets.PROVISIONER_API_KEY,
      SERVER_URL: originOf(settings),
    };
    const defaults = { ...found, ...secrets, ...own };
    return serviceEnvironment(environment, defaults, folder, gatewaySecret);
  }

  private async run(description: ProcessDescription): Promise<void> {
    const service = this.supervise(description);
    this.services.push(service);
    await service.start();
  }

  private supervise(description: ProcessDescription): SupervisedProcess {
    const { folder, say } = this.options;
    return new SupervisedProcess(description, {
      runFolder: folder.run,
      logFile: folder.logOf(description.name),
      say,
    });
  }
}
