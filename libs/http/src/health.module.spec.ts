import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SettingsModule } from '@rdc/settings';
import { pino } from 'pino';
import { createApp } from './create-app.js';
import { EdgeSettings } from './edge.settings.js';
import { HealthModule, ReadinessProbe, ShutdownNotice } from './health.module.js';
import { MetricsModule } from './metrics/metrics.module.js';

class TestSettings extends EdgeSettings {}

let fault: string | null = null;

class ShelfProbe extends ReadinessProbe {
  readonly dependency = 'shelf';

  check(): Promise<void> {
    return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
  }
}

@Module({
  imports: [
    SettingsModule.forRoot(TestSettings, {}),
    MetricsModule.forRoot({ service: 'test', version: '0' }),
    HealthModule.forRoot({ settings: TestSettings, probes: [ShelfProbe] }),
  ],
})
class HealthyModule {}

describe(HealthModule.name, () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    app = await createApp(HealthyModule, {
      ...{ bodyLimit: 1024, basePath: '', trustedProxies: [], gatewaySecret: undefined },
      ...{ logger: pino({ level: 'silent' }), translateError: () => undefined },
    });
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/health`;
  });

  afterAll(() => app.close());

  const ready = async (): Promise<unknown[]> => {
    const answer = await fetch(`${url}/ready`);
    return [answer.status, await answer.json(), answer.headers.get('connection')];
  };

  it('should name each dependency with its state, and tell callers to leave once it is to end', async () => {
    expect(await ready()).toEqual([200, { status: 'ready', dependencies: { shelf: 'up' } }, 'keep-alive']);
    fault = 'it fell';
    expect(await ready()).toEqual([503, { status: 'not_ready', dependencies: { shelf: fault } }, 'keep-alive']);
    fault = null;
    await app.get(ShutdownNotice, { strict: false }).beforeApplicationShutdown();
    expect(await ready()).toEqual([503, { status: 'ending', dependencies: { shelf: 'up' } }, 'close']);
    expect((await fetch(`${url}/live`)).status).toBe(200);
  });
});
