import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SettingsModule } from '@rdc/settings';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { serve } from '../test/serve.js';
import { EdgeSettings } from './edge.settings.js';
import { HealthModule, ReadinessProbe, ReadOnlyDependencyError } from './health.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { ShutdownNotice } from './shutdown-notice.js';

class TestSettings extends EdgeSettings {}

let fault: string | null = null;
let readOnly: string | null = null;

class ShelfProbe extends ReadinessProbe {
  readonly dependency = 'shelf';

  check(): Promise<void> {
    if (readOnly !== null) return Promise.reject(new ReadOnlyDependencyError(readOnly));
    return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
  }
}

@Module({
  imports: [
    SettingsModule.forRoot([TestSettings], {}),
    MetricsModule.forRoot({ service: 'test', version: '0' }),
    HealthModule.forRoot({ settings: TestSettings, probes: [ShelfProbe] }),
  ],
})
class HealthyModule {}

describe(HealthModule.name, () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeEach(async () => {
    const served = await serve(HealthyModule);
    app = served.app;
    url = `${served.url}/health`;
  });

  afterEach(() => app.close());

  const ready = async (): Promise<unknown[]> => {
    const answer = await fetch(`${url}/ready`);
    return [answer.status, await answer.json(), answer.headers.get('connection')];
  };

  it('should report "degraded" with the reason when a dependency is read-only', async () => {
    readOnly = 'cannot be written: it is full (ENOSPC)';
    const dependencies = { shelf: readOnly };
    expect((await ready()).slice(0, 2)).toEqual([200, { status: 'degraded', dependencies }]);
    const metrics = await (await fetch(url.replace('/health', '/metrics'))).text();
    expect(metrics).toMatch(/^rdc_dependency_up\{.*dependency="shelf".*\} 0$/m);
    readOnly = null;
  });

  it('should report "ending" and close connections when the shutdown has begun', async () => {
    expect(await ready()).toEqual([200, { status: 'ready', dependencies: { shelf: 'up' } }, 'keep-alive']);
    fault = 'it fell';
    expect(await ready()).toEqual([503, { status: 'not_ready', dependencies: { shelf: fault } }, 'keep-alive']);
    fault = null;
    await app.get(ShutdownNotice, { strict: false }).beforeApplicationShutdown();
    expect(await ready()).toEqual([503, { status: 'ending', dependencies: { shelf: 'up' } }, 'close']);
    expect((await fetch(`${url}/live`)).status).toBe(200);
  });

  it('should answer on open connections and refuse new ones when the shutdown has begun', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<(number | string | undefined)[]> => {
      const [answer] = (await once(get(`${url}/live`, { agent }), 'response')) as [IncomingMessage];
      await text(answer);
      return [answer.statusCode, answer.headers.connection];
    };
    expect(await ask()).toEqual([200, 'keep-alive']);
    const ending = app.get(ShutdownNotice, { strict: false }).beforeApplicationShutdown('SIGTERM');
    while (app.getHttpServer().listening) await setImmediate();
    const refused = once(connect(Number(new URL(url).port), '127.0.0.1'), 'connect');
    await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await ask()).toEqual([200, 'close']);
    await ending;
  });
});
