import { resolve } from 'node:path';
import { parseList } from '../../libs/settings/src/parsers.ts';
import { CannotStartError } from './cannot-start.error.ts';

/** The settings of `npm start` itself. The services read the rest of the environment. */
export interface LauncherSettings {
  /** Address of the origin. */
  readonly host: string;
  /** Port of the origin. The inner ports are chosen at each start. */
  readonly port: number;
  /** Absolute path of the folder that holds all state. */
  readonly dataFolder: string;
  /** Proxies in front of the origin, whose `X-Forwarded-*` headers are kept. */
  readonly trustedProxies: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HOST` (default 127.0.0.1), `PORT` (8080), `DATA_DIR` (`./.data`) and `TRUSTED_PROXIES` (none).
 *
 * @throws CannotStartError if the port is invalid
 */
export function readLauncherSettings(environment: Environment, workingFolder: string): LauncherSettings {
  const text = (name: string, otherwise: string): string => environment[name]?.trim() || otherwise;
  const port = Number(text('PORT', '8080'));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CannotStartError(`PORT must be a whole number from 1 to 65535; it is "${text('PORT', '')}".`);
  }
  return {
    host: text('HOST', '127.0.0.1'),
    port,
    dataFolder: resolve(workingFolder, text('DATA_DIR', '.data')),
    trustedProxies: parseList(text('TRUSTED_PROXIES', '')),
  };
}

const everyAddress = ['0.0.0.0', '::'];

/** Returns the URL of the origin for a browser on this machine. */
export function originOf({ host, port }: LauncherSettings): string {
  const name = everyAddress.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${String(port)}`;
}
