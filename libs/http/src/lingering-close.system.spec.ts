import { fastify, type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { lingerOnClose } from './lingering-close.js';

const mebibyte = 1024 * 1024;
const answer = 'x'.repeat(mebibyte);

describe(lingerOnClose.name, () => {
  let instance: FastifyInstance;
  let port: number;

  beforeEach(async () => {
    instance = fastify();
    lingerOnClose(instance);
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, _body, done) => {
      done(null);
    });
    instance.post('/refused', (_request, reply) => reply.code(413).header('connection', 'close').send(answer));
    instance.get('/kept', () => 'kept');
    await instance.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = instance.server.address() as AddressInfo);
  });

  afterEach(() => instance.close());

  it('should deliver the whole answer when the body ends after the answer', async () => {
    const size = 32 * mebibyte;
    const client = await open(`POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(size)}\r\n\r\n`);
    client.socket.write(Buffer.alloc(size));
    expect(await client.closed).not.toBe('ECONNRESET');
    expect(client.received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(client.received().split('\r\n\r\n')[1]).toHaveLength(answer.length);
  });

  it('should cut the connection after a number of bytes when the body is endless', async () => {
    const client = await open('POST /refused HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', true);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte), Buffer.from('\r\n')]);
    let sent = 0;
    while (!client.socket.destroyed && sent < 2048) {
      sent += 1;
      if (!client.socket.write(chunk)) await Promise.race([once(client.socket, 'drain').catch(() => 0), client.closed]);
    }
    await client.closed;
    // The client can send up to the limit of 64 MiB, and the bytes in the buffers of both sides.
    expect(sent).toBeGreaterThan(32);
    expect(sent).toBeLessThan(2048);
  }, 20_000);

  it('should cut the connection after a time when the body arrives slowly', async () => {
    const began = performance.now();
    const client = await open('POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n', true);
    const writing = setInterval(() => client.socket.write('x'), 100);
    await client.closed;
    clearInterval(writing);
    expect(performance.now() - began).toBeGreaterThan(4_000);
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(client.received()).toMatch(/^HTTP\/1\.1 413 /);
  }, 20_000);

  it('should keep a connection when the client keeps it', async () => {
    const client = await open('GET /kept HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client.socket, 'data');
    client.socket.write('GET /kept HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await client.closed;
    expect(client.received().match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  it('should close the connection after the answer when the request is HTTP/1.0', async () => {
    const client = await open('GET /kept HTTP/1.0\r\n\r\n');
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 [^]*kept$/);
  });

  /** @param isHostile whether the client keeps its side open after the service has ended the connection */
  async function open(
    head: string,
    isHostile = false,
  ): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    let text = '';
    let fault: unknown;
    socket.on('data', (bytes) => {
      text += bytes.toString();
    });
    if (!isHostile) socket.on('end', () => socket.end());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fault = error.code;
    });
    const closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve(fault);
      });
    });
    await once(socket, 'connect');
    socket.write(head);
    return { socket, received: () => text, closed };
  }
});
