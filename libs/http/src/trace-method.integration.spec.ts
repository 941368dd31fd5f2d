import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableByAnyone } from '@rdc/auth';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../test/serve.js';

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
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await serve(ThingsModule));
  });

  afterAll(() => app.close());

  it.each(['/things', '/unknown'])('should not echo the request when the path is %s', async (path) => {
    const sent = request({ port, path, method: 'TRACE', headers: { 'X-API-Key': 'secret-key' } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(await text(answer)).not.toContain('secret-key');
    expect([400, 404, 405]).toContain(answer.statusCode);
  });
});
