import { dirname, join } from 'node:path';
import { type NodeProgram, spawnNode } from '../processes/node-process.ts';
import type { ProcessDescription } from '../processes/supervised-process.ts';
import type { DataFolder } from './data-folder.ts';
import type { IdentityProviderSettings } from './sample-identity-provider.ts';

/** The programs of the system that answer on a port of their own. */
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

/** The address at which a service that runs from its sources accepts a debugger. */
export const inspectorAddress = '127.0.0.1:9229';

/**
 * A module that runs first. In watch mode Node adds reports about imported files to the messages of threads, and the
 * threads of the provisioner would take a report for an answer. The watched paths make the reports unnecessary.
 */
const withoutReports = 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES';

/** Returns the program of a service that restarts after each change of its sources, its SQL files or the libraries. */
function programFromSources(name: ServiceProcess): Pick<NodeProgram, 'script' | 'nodeOptions' | 'printsToTerminal'> {
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

/** What the services need to know that a launcher decides. */
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
 * The environment that every program of the system gets: what ours holds, and our defaults for what it leaves open.
 *
 * @param gatewaySecret what the gateway proves itself with during this run; nothing in our environment replaces it
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

/** A service and how it is run. */
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
  const program = {
    ...(isFromSources ? programFromSources(name) : { script: join(root, scripts[name]) }),
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
