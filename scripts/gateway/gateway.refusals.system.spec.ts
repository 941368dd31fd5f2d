import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RefusingPorts } from '../../test/support/refusing-services.ts';
import { upload } from '../attack/upload.ts';
import { ForwardingHeaders } from './forwarding-headers.ts';
import { Gateway } from './gateway.ts';

const script = fileURLToPath(new URL('../../test/support/refusing-services.ts', import.meta.url));
const attempts = 30;
const atOnce = 3;
const megabyte = 1_000_000;
const path = '/api/import/terms';

describe(`${Gateway.name}, in front of services that refuse a body while it is sent`, () => {
  let child: ChildProcess;
  let inner: RefusingPorts;
  let gateway: Gateway;

  beforeAll(async () => {
    child = fork(script, { execArgv: ['--no-warnings'] });
    [inner] = (await once(child, 'message')) as [RefusingPorts];
  });

  afterAll(async () => {
    child.kill();
    await once(child, 'exit');
  });

  afterEach(async () => {
    await gateway.close();
  });

  async function gatewayTo(port: number): Promise<number> {
    const ports = { 'catalog-api': port, provisioner: port };
    gateway = new Gateway({ ports, headers: new ForwardingHeaders('secret', []) });
    return gateway.listen(0, '127.0.0.1');
  }

  describe.each(['fastify', 'service', 'closing', 'resetting', 'stopping'] as const)('a service: %s', (kind) => {
    it.each([
      ['3 MB of known length', 3, 'Content-Length', 65_536],
      ['20 MB of known length', 20, 'Content-Length', megabyte],
      ['3 MB in small chunks', 3, 'chunked', 4096],
      ['20 MB in large chunks', 20, 'chunked', megabyte],
    ] as const)('should answer 413 in every attempt when a caller sends %s', async (_, size, framing, piece) => {
      const port = await gatewayTo(inner[kind]);
      const answers: unknown[] = [];
      await Promise.all(
        Array.from({ length: atOnce }, async (_none, lane) => {
          for (let attempt = lane; attempt < attempts; attempt += atOnce) {
            answers.push(await upload({ port, path, size: size * megabyte, framing, piece }).catch(String));
          }
        }),
      );
      expect(answers).toEqual(Array.from({ length: attempts }, () => 413));
    });
  });

  it('should forward a body within the limit on the same connections', async () => {
    const port = await gatewayTo(inner.fastify);
    for (let attempt = 0; attempt < 10; attempt++) {
      const framing = attempt % 2 ? 'chunked' : 'Content-Length';
      expect(await upload({ port, path, size: megabyte, framing, piece: 65_536 })).toBe(200);
      expect(await upload({ port, path, size: 2 * megabyte, framing, piece: 65_536 })).toBe(413);
    }
  });
});
