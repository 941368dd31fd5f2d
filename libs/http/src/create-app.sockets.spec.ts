import { Controller, Get, Module, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createApp } from './create-app.js';

@Controller('endless')
class EndlessController {
  @Get()
  get(@Res() reply: FastifyReply): void {
    const begun = new Readable({ read: () => undefined });
    begun.push('[');
    void reply.type('application/json').send(begun);
  }
}

@Module({ controllers: [EndlessController] })
class EndlessModule {}

describe(createApp.name, () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeEach(async () => {
    app = await createApp(EndlessModule, {
      bodyLimit: 1024,
      basePath: '',
      trustedProxies: [],
      gatewaySecret: undefined,
      logger: pino({ level: 'silent' }),
      translateError: () => undefined,
      drainMs: 50,
    });
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
  });

  afterEach(() => app.close());

  it.each([
    ['what is no HTTP', 'X-Odd: \x01', '400 Bad Request', 'input.invalid'],
    ['headers beyond all measure', `X-Odd: ${'a'.repeat(17_000)}`, '413 Payload Too Large', 'input.too_large'],
  ])('should answer %s with the envelope too', async (_, header, status, code) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}`);
    expect(JSON.parse(body)).toMatchObject({ status: 'Error', more: { code } });
  });

  it('should end although an answer never does', async () => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/endless`);
    const read = response.text();
    await Promise.all([app.close(), expect(read).rejects.toThrow()]);
  });
});
