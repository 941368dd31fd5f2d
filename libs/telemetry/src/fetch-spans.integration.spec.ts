import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { traceFetches } from './fetch-spans.js';
import type { Facts, Tracing } from './spans.js';

describe(traceFetches.name, () => {
  it('should end a span once when the connection breaks during the response', async () => {
    const ends: unknown[] = [];
    const span = { end: (facts?: Facts) => ends.push(facts), headers: () => ({}) };
    traceFetches({ begin: () => span } as unknown as Tracing);
    const server = createServer((_, response) => {
      response.write('half', () => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const response = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    await expect(response.text()).rejects.toThrow('terminated');
    server.close();
    expect(ends).toEqual([{ 'http.response.status_code': 200 }]);
  });
});
