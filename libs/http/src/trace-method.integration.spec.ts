import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableByAnyone } from '@rdc/auth';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createApp } from './create-app.js';

@Controller('things')
@CallableByAnyone()
class ThingsController {
  @Get()
  list(): readonly string[] {
    return [];
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

describe('TRACE', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await createApp(ThingsModule, {
      ...{ bodyLimit: 1024, basePath: '', trustedProxies: [], gatewaySecret: undefined },
      ...{ logger: pino({ level: 'silent' }), translateError: () => undefined },
    });
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  it.each(['/things', '/unknown'])('should not echo the request when the path is %s', async (path) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const sent = request({ port, path, method: 'TRACE', headers: { 'X-API-Key': 'secret-key' } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(await text(answer)).not.toContain('secret-key');
    expect([400, 404, 405]).toContain(answer.statusCode);
  });
});
