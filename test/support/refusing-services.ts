import fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { lingerOnClose } from '../../libs/http/src/lingering-close.ts';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Ports of servers that refuse large bodies, each in another way. They run in a separate process. */
export interface RefusingPorts {
  /** Fastify with a body limit of 1 MiB, which closes at once. */
  readonly fastify: number;
  /** Fastify with the same limit, which closes like both services. */
  readonly service: number;
  /** Answers after the first bytes and closes with the rest unread, so that the connection is reset. */
  readonly closing: number;
  /** Answers after the first bytes and resets the connection. */
  readonly resetting: number;
  /** Answers after the first bytes, and neither reads on nor closes. */
  readonly stopping: number;
}

const refusal = '{"status":"Error"}';

const ports: RefusingPorts = {
  fastify: await serve(() => undefined),
  service: await serve(lingerOnClose),
  closing: await refuseWith((socket) => socket.destroy()),
  resetting: await refuseWith((socket) => socket.resetAndDestroy()),
  stopping: await refuseWith((socket) => socket.pause()),
};
process.send?.(ports);

async function serve(prepare: (app: FastifyInstance) => void): Promise<number> {
  const app = fastify({ bodyLimit: 1024 * 1024 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.all('/*', (request) => ({ bytes: (request.body as Buffer | undefined)?.length ?? 0 }));
  prepare(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

async function refuseWith(end: (socket: Socket) => unknown): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const head = [
        'HTTP/1.1 413 Payload Too Large',
        'Connection: close',
        `Content-Length: ${String(refusal.length)}`,
      ].join('\r\n');
      socket.write(`${head}\r\n\r\n${refusal}`, () => end(socket));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
