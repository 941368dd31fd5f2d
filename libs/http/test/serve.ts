import type { Provider, Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AuthGuard, KeyDirectory, type Principal } from '@rdc/auth';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp, type EdgeOptions } from '../src/create-app.js';

/** A service on a free loopback port. */
export interface Served {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly url: string;
}

/** Serves the controllers of a module, silently and with bodies up to 1 KiB unless the options state otherwise. */
export async function serve(module: Type, options: Partial<EdgeOptions> = {}): Promise<Served> {
  const app = await createApp(module, {
    ...{ bodyLimit: 1024, basePath: '', trustedProxies: [], gatewaySecret: undefined },
    ...{ logger: pino({ level: 'silent' }), translateError: () => undefined },
    ...options,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, port, url: `http://127.0.0.1:${String(port)}` };
}

class OneKey extends KeyDirectory {
  identify(key: string): Promise<Principal> {
    return Promise.resolve({ kind: key === 'the key' ? 'global' : 'unknown' });
  }
}

/** Providers of a module whose callers identify themselves with `the key`. */
export const withKeys: Provider[] = [
  { provide: KeyDirectory, useClass: OneKey },
  { provide: APP_GUARD, useClass: AuthGuard },
];
