import { dirname, join } from 'node:path';
import { type NodeProgram, spawnNode } from '../processes/node-process.ts';
import type { ProcessDescription } from '../processes/supervised-process.ts';
import type { DataFolder } from './data-folder.ts';
import type { IdentityProviderSettings } from './sample-identity-provider.ts';

/** The programs of the system that listen on a port of their own. */
export const serviceNames = ['catalog-api', 'provisioner', 'worker'] as const;
export type ServiceProcess = (typeof serviceNames)[number];

const scripts: Readonly<Record<ServiceProcess, string>> = {
  'catalog-api': 'apps/catalog-api/dist/main.js',
  provisioner: 'apps/provisioner/dist/main.js',
  worker: 'apps/provisioner/dist/worker.js',
};

const sources: Readonly<Record<ServiceProcess, string>> = {
  'catalog-api': 'apps/catalog-api/src/main.ts',
  provisioner: 'apps/provisioner/src/main.ts',
  worker: 'apps/provisioner/src/worker.ts',
};

/** Options of V8 for the processes of the provisioner. Its image has the same options (docs/decisions/0023). */
export const provisionerV8Options = ['--max-semi-space-size=8', '--heap-growing-percent=20', '--expose-gc'] as const;

/** The address at which a service that runs from its sources accepts a debugger. */
export const inspectorAddress = '127.0.0.1:9229';

/**
 * A module that runs before the program and turns off reports about imported files. In watch mode, Node adds these
 * reports to the messages of threads, and the provisioner would read a report as an answer of its thread.
 */
const withoutReports = 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES';

type Program = Pick<NodeProgram, 'script' | 'nodeOptions' | 'printsToTerminal'>;

/** Returns the program of a service that restarts after each change of its sources, its SQL files or the libraries. */
function programFromSources(name: ServiceProcess): Program {
  const watched = [dirname(sources[name]), 'libs'].map((folder) => `--watch-path=${folder}`);
  const modules = [withoutReports, '@swc-node/register/esm-register'].map((module) => `--import=${module}`);
  return {
    script: sources[name],
    nodeOptions: [
      '--watch',
      '--watch-preserve-output',
      ...watched,
      `--inspect=${inspectorAddress}`,
      '--conditions=development',
      ...modules,
    ],
    printsToTerminal: true,
  };
}

/** Settings of the services that the launcher sets by default. */
export interface ServiceDefaults extends Partial<IdentityProviderSettings> {
  readonly DATABASE_URL: string;
  readonly QUEUE_URL: string;
  readonly GLOBAL_API_KEY: string;
  readonly KEY_HASH_SECRET: string;
  readonly SESSION_SECRET: string;
  readonly SERVER_URL: string;
  readonly CATALOG_URL: string;
  readonly CATALOG_API_KEY: string;
  readonly PROVISIONER_API_KEY: string;
  readonly ADMIN_EMAIL?: string;
  readonly ADMIN_PASSWORD?: string;
}

/**
 * Returns the environment of every program of the system: the launcher's own environment, completed by the defaults.
 *
 * @param gatewaySecret the secret by which services recognise the gateway; no setting of the environment replaces it
 */
export function serviceEnvironment(
  own: NodeJS.ProcessEnv,
  defaults: ServiceDefaults,
  folder: DataFolder,
  gatewaySecret: string,
): NodeJS.ProcessEnv {
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value?.trim()));
  return { ...defaults, ...sampleSettings(folder), ...set, GATEWAY_SECRET: gatewaySecret };
}

/**
 * Returns the settings of the sample system that its services and its command lines share. Stored documents contain
 * `HOME_ORGANISATION`, so a command without it would write other documents than the service.
 */
export function sampleSettings(folder: DataFolder): Readonly<Record<string, string>> {
  return {
    SOURCE_URL: folder.sourceUrl,
    STORAGE_URL: folder.storageUrl,
    SOURCE_SETTLE: '2',
    // Bounds the memory that glibc keeps for each thread, as the provisioner's image does (docs/decisions/0023).
    MALLOC_ARENA_MAX: '2',
    HOME_ORGANISATION: 'Ardenne Research Data Centre',
  };
}

/** Options with which a service is run. */
export interface ServiceRun {
  readonly name: ServiceProcess;
  readonly port: number;
  /** Absolute path of the checkout. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the service runs from its sources and restarts after each change. */
  readonly isFromSources?: boolean;
}

/** Returns the process of a service. */
export function describeService({ name, port, root, environment, isFromSources }: ServiceRun): ProcessDescription {
  const {
    script,
    nodeOptions = [],
    ...output
  }: Program = isFromSources ? programFromSources(name) : { script: join(root, scripts[name]) };
  const program = {
    ...{ script, ...output },
    nodeOptions: name === 'catalog-api' ? nodeOptions : [...provisionerV8Options, ...nodeOptions],
    environment: { ...environment, HOST: '127.0.0.1', PORT: String(port) },
    workingFolder: root,
  };
  return {
    name,
    spawn: (logFile) => spawnNode(program, logFile),
    isReady: () => isReady(port),
    stopSignal: 'SIGTERM',
  };
}

const probeTimeoutMs = 5_000;

async function isReady(port: number): Promise<boolean> {
  try {
    const url = `http://127.0.0.1:${String(port)}/health/ready`;
    const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
