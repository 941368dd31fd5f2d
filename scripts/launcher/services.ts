import { join } from 'node:path';
import { spawnNode } from '../processes/node-process.ts';
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
  return {
    ...defaults,
    SOURCE_URL: folder.sourceUrl,
    STORAGE_URL: folder.storageUrl,
    SOURCE_SETTLE: '2',
    // Memory that one thread gives back another takes, as in the provisioner's image (docs/decisions/0023).
    MALLOC_ARENA_MAX: '2',
    HOME_ORGANISATION: 'Ardenne Research Data Centre',
    ...set,
    GATEWAY_SECRET: gatewaySecret,
  };
}

/** How one of the programs is run. */
export function describeService(
  name: ServiceProcess,
  port: number,
  root: string,
  environment: NodeJS.ProcessEnv,
): ProcessDescription {
  const program = {
    script: join(root, scripts[name]),
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
