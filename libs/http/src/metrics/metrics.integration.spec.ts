import { Controller, Get, Injectable, Module, Param } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableByAnyone } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import { SettingsModule } from '@rdc/settings';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { httpCall } from '../../../../test/support/http-call.ts';
import { metricsAt, type Figures } from '../../../../test/support/metrics.ts';
import { serve, withKeys } from '../../test/serve.js';
import { EdgeSettings } from '../edge.settings.js';
import { HealthModule, ReadinessProbe } from '../health.module.js';
import { MetricsModule } from './metrics.module.js';
import { addReading } from './reading.js';

class ThingSettings extends EdgeSettings {}

@Controller('api/things')
@CallableByAnyone()
class ThingsController {
  @Get(':id')
  get(@Param('id') id: string): unknown {
    if (id === 'gone') throw new UnknownRecordError('thing', id);
    return { id };
  }
}

@Injectable()
class GoodProbe extends ReadinessProbe {
  readonly dependency = 'good';
  check(): Promise<void> {
    return Promise.resolve();
  }
}

class BadProbe extends ReadinessProbe {
  readonly dependency = 'bad';
  check(): Promise<void> {
    return Promise.reject(new Error('it is down'));
  }
}

@Injectable()
class ThingMetrics {
  constructor(registry: Registry) {
    addReading(registry, { name: 'things', help: 'Things.', label: 'state', read: () => Promise.resolve({ new: 2 }) });
    addReading(registry, { name: 'unread', help: 'x', read: () => Promise.reject(new Error('cannot be read')) });
  }
}

@Module({
  imports: [
    MetricsModule.forRoot({ service: 'things', version: '1.2.3' }),
    SettingsModule.forRoot([ThingSettings], {}),
    HealthModule.forRoot({ settings: ThingSettings, probes: [GoodProbe, BadProbe] }),
  ],
  controllers: [ThingsController],
  providers: [ThingMetrics, ...withKeys],
})
class ThingsModule {}

describe(MetricsModule.name, () => {
  let app: NestFastifyApplication;
  let port: number;
  let figures: Figures;
  const logged: string[] = [];

  beforeAll(async () => {
    const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
    ({ app, port } = await serve(ThingsModule, { logger }));
    for (const path of [
      '/api/things/1',
      '/api/things/2?API_KEY=wrong',
      '/api/things/gone',
      '/no/such?page=1',
      '/a%2Fb',
    ])
      await httpCall(port, 'GET', path);
    await httpCall(port, 'GET', '/health/live');
    await httpCall(port, 'DELETE', '/api/things/1');
    await httpCall(port, 'GET', '/api/things/1', { key: 'wrong' });
    figures = await metricsAt(`http://127.0.0.1:${String(port)}`);
  });

  afterAll(() => app.close());

  it('should leave probes and scrapes out of the log when they succeed', () => {
    const routes = logged.map((line) => (JSON.parse(line) as { route?: string }).route);
    expect(routes).toContain('/api/things/:id');
    expect(routes.filter((route) => route === '/metrics' || route === '/health/live')).toEqual([]);
  });

  const requests = (labels: string): number | undefined =>
    figures.get(`rdc_http_request_duration_seconds_count{${labels}}`);

  it('should count requests by method, route template and status class when they are answered', () => {
    expect(requests('method="GET",route="/api/things/:id",status="2xx"')).toBe(3);
    expect(requests('method="GET",route="/api/things/:id",status="4xx"')).toBe(1);
  });

  it('should use one label for all paths when no route matches', () => {
    expect(requests('method="GET",route="unrouted",status="4xx"')).toBe(2);
    expect(requests('method="DELETE",route="unrouted",status="4xx"')).toBe(1);
  });

  it('should count unknown keys when they are sent to any path', () => {
    expect(figures.get('rdc_http_wrong_keys_total')).toBe(2);
  });

  it('should report the state of each dependency when a probe has run', () => {
    expect(figures.get('rdc_dependency_up{dependency="good"}')).toBe(1);
    expect(figures.get('rdc_dependency_up{dependency="bad"}')).toBe(0);
  });

  it('should leave out a reading when it fails', () => {
    expect(figures.get('things{state="new"}')).toBe(2);
    expect(figures.has('unread')).toBe(false);
  });

  it('should report the version and the process metrics when the process runs', () => {
    expect(figures.get(`rdc_build_info{version="1.2.3",node="${process.version}"}`)).toBe(1);
    expect(figures.get('rdc_process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(figures.has('rdc_nodejs_eventloop_lag_p99_seconds')).toBe(true);
  });

  it("should answer in Prometheus' format when the caller has no key", async () => {
    const { status, headers } = await httpCall(port, 'GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  });
});
