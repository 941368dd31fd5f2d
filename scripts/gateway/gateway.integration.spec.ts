import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, createServer, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ForwardingHeaders } from './forwarding-headers.ts';
import { Gateway } from './gateway.ts';
import { httpCall } from '../../test/support/http-call.ts';
import { freePort } from '../free-port.ts';

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe(Gateway.name, () => {
  it('should send each path to the service that owns it', async () => {
    const origin = await gatewayTo({ catalog: echo('catalog-api'), provisioner: echo('provisioner') });
    const served = async (path: string): Promise<string> =>
      (await httpCall(origin, 'GET', path)).headers['x-served-by'] as string;
    for (const path of ['/', '/api/datasets', '/docs', '/console/x', '/sitemap.xml', '/datasetsx', '/provisioner']) {
      expect([path, await served(path)]).toEqual([path, 'catalog-api']);
    }
    for (const path of ['/datasets/srcsys?x=1', '/submissions', '/imports/01/events', '/%64atasets', '/a/../imports']) {
      expect([path, await served(path)]).toEqual([path, 'provisioner']);
    }
  });

  it.each(['/health/ready', '/metrics', '/%68ealth/live', '//health', '/x/../metrics', 'http://any/health/live'])(
    'should not route %s',
    async (path) => {
      const origin = await gatewayTo({ catalog: echo('catalog-api'), provisioner: echo('provisioner') });
      const { status, body } = await httpCall(origin, 'GET', path);
      expect(status).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ status: 'Error', more: { code: 'route.unknown' } });
    },
  );

  it("should forward method, query, body and headers, and replace the caller's forwarding headers", async () => {
    const origin = await gatewayTo({ catalog: echo('catalog-api'), provisioner: echo('provisioner') });
    const headers = {
      'X-Forwarded-For': '192.0.2.1',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'for=192.0.2.1',
      'X-Real-Ip': '192.0.2.1',
      'X-Gateway-Secret': 'guess',
      traceparent,
      TE: 'trailers',
      Connection: 'close, TE',
      'X-API-Key': 'key',
    };
    const { body } = await httpCall(origin, 'PUT', '/api/import/terms?API_KEY=a%20b', { headers, body: 'päyload' });
    const seen = JSON.parse(body) as { headers: Record<string, string> };
    expect(seen).toMatchObject({ method: 'PUT', url: '/api/import/terms?API_KEY=a%20b', body: 'päyload' });
    expect(seen.headers).toMatchObject({
      host: `127.0.0.1:${String(origin)}`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `127.0.0.1:${String(origin)}`,
      'x-gateway-secret': 'secret of this run',
      'x-api-key': 'key',
    });
    for (const name of ['forwarded', 'x-real-ip', 'te', 'traceparent']) {
      expect(seen.headers).not.toHaveProperty(name);
    }
  });

  it('should extend the chain of a trusted proxy', async () => {
    const origin = await gatewayTo({ catalog: echo('catalog-api'), trustedProxies: ['10.0.0.1', '127.0.0.0/8'] });
    const headers = {
      ...{ 'X-Forwarded-For': '203.0.113.5', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'data.org' },
      traceparent,
    };
    const { body } = await httpCall(origin, 'GET', '/api/projects', { headers });
    expect((JSON.parse(body) as { headers: unknown }).headers).toMatchObject({
      'x-forwarded-for': '203.0.113.5, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'data.org',
      traceparent,
    });
  });

  it('should forward each event of a stream at once, and end the stream when its reader leaves', async () => {
    let left: Promise<unknown> = Promise.reject(new Error('no request arrived'));
    left.catch(() => undefined);
    const origin = await gatewayTo({
      provisioner: (_, response) => {
        left = once(response, 'close');
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.flushHeaders();
        response.write('data: one\n\n');
      },
    });
    const reader = send({ port: origin, path: '/imports/01/events' }).end();
    const [incoming] = (await once(reader, 'response')) as [IncomingMessage];
    expect(String((await once(incoming, 'data'))[0])).toBe('data: one\n\n');
    incoming.destroy();
    await left;
  });

  it('should break off an answer when the service breaks it off', async () => {
    const origin = await gatewayTo({
      catalog: (_, response) => {
        response.writeHead(200);
        response.write('[{"id":1},', () => response.destroy());
      },
    });
    await expect(httpCall(origin, 'GET', '/api/datasets')).rejects.toThrow('aborted');
  });

  it('should answer 503 when a service is down', async () => {
    const origin = await gatewayTo({});
    const { status, headers, body } = await httpCall(origin, 'POST', '/datasets/srcsys/import', { body: '{}' });
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(body)).toMatchObject({ status: 'Error', more: { code: 'dependency.down' } });
  });

  it('should forward a refusal that arrives before the body has been sent', async () => {
    const origin = await gatewayTo({
      catalog: (_, response) => {
        response.writeHead(413, { Connection: 'close' }).end('{"status":"Error"}');
      },
    });
    const socket = connect(origin, '127.0.0.1');
    socket.write('POST /api/import/terms HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nbegin');
    expect(String((await once(socket, 'data'))[0])).toContain('413 Payload Too Large');
    socket.destroy();
  });
});

interface Setup {
  readonly catalog?: RequestListener;
  readonly provisioner?: RequestListener;
  readonly trustedProxies?: readonly string[];
}

async function gatewayTo({ catalog, provisioner, trustedProxies = [] }: Setup): Promise<number> {
  const ports = { 'catalog-api': await serve(catalog), provisioner: await serve(provisioner) };
  const gateway = new Gateway({ ports, headers: new ForwardingHeaders('secret of this run', trustedProxies) });
  const port = await freePort();
  await gateway.listen(port, '127.0.0.1');
  cleanUps.push(() => gateway.close());
  return port;
}

async function serve(listener: RequestListener | undefined): Promise<number> {
  if (!listener) return freePort();
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

/** A service that answers with the request. */
function echo(name: string): RequestListener {
  return (request, response) => {
    const { method, url, headers } = request;
    void text(request).then((body) => {
      response.setHeader('X-Served-By', name);
      response.end(JSON.stringify({ method, url, headers, body }));
    });
  };
}
