import { setTimeout as pause } from 'node:timers/promises';
import { GatewayStage } from '../../test/support/gateway-stage.ts';
import { RawConnection } from '../attack/raw-connection.ts';
import { Gateway } from './gateway.ts';

/** The beginning of a request; only bytes of another caller could complete it. */
const hidden = 'DELETE /api/hidden HTTP/1.1\r\nHost: hidden\r\nX-Swallow: ';
const chunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const exact = String(hidden.length);

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'LOCK',
  'M-SEARCH',
];
const versions = ['1.1', '1.1', '1.1', '1.1', '1.0', '0.9', '2.0'];
const names = ['Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Expect', 'TE', 'Host', 'Keep-Alive'];
const spellings: ((name: string) => string)[] = [
  ...Array.from({ length: 8 }, () => (name: string) => name),
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.replace('-', '_'),
  (name) => `${name} `,
  (name) => ` ${name}`,
  (name) => `X: a\n${name}`,
  (name) => `X: a\r${name}`,
  (name) => `${name}\0`,
];
const values: Readonly<Record<string, readonly string[]>> = {
  'Content-Length': [
    exact,
    exact,
    exact,
    '0',
    '5',
    '3',
    `0${exact}`,
    `+${exact}`,
    `${exact}, ${exact}`,
    ' ',
    '0x10',
    '1e1',
    `${exact};a`,
  ],
  'Transfer-Encoding': [
    'chunked',
    'chunked',
    'Chunked',
    'identity',
    'gzip, chunked',
    'chunked, identity',
    'chunked;q=1',
    '\tchunked',
    '',
    'x',
  ],
  Connection: [
    'keep-alive',
    'close',
    'content-length',
    'transfer-encoding',
    'Content-Length, close',
    'host',
    'upgrade',
    'x-tag',
    'keep-alive,,',
    'TE',
  ],
  Upgrade: ['websocket', 'h2c', 'TLS/1.0'],
  Expect: ['100-continue', '100-Continue', 'other'],
  TE: ['trailers', 'chunked'],
  Host: ['b', '', 'b, c'],
  'Keep-Alive': ['timeout=5', 'max=1000'],
};
const framings = [
  [`Content-Length: ${exact}`, hidden],
  ['Transfer-Encoding: chunked', chunks],
] as const;
const bodies = [hidden, hidden, chunks, chunks, `0\r\n\r\n${hidden}`, `5\r\nhello\r\n${hidden}`, `\r\n${hidden}`, ''];

describe(`${Gateway.name}, sent random requests`, () => {
  it.each([1, 2, 3, 4])(
    'should forward only what was sent and answer each caller for itself (seed %i)',
    async (seed) => {
      const stage = await GatewayStage.start();
      const random = randomFrom(seed);
      const sent = new Map<string, string>();
      let statuses = new Set<number | undefined>();
      const attackers = Array.from({ length: 10 }, async (_, lane) => {
        for (let turn = 0; turn < 100; turn++) {
          const tag = `${String(lane)}-${String(turn)}`;
          const { method, bytes } = requestOf(tag, random);
          sent.set(tag, method);
          const connection = await RawConnection.open(stage.port);
          connection.write(bytes);
          const answer = await connection.answer(method, 100);
          statuses = statuses.add(answer?.status);
          if (answer?.status === 200 && method !== 'HEAD') expect(answer.body).toContain(`/api/fuzz/${tag}"`);
          connection.destroy();
        }
      });
      const victims = followVictims(stage.port);
      await Promise.all(attackers);
      await victims.stop();
      for (const { method, url, headers, body } of stage.catalog.requests) {
        const tag = url.replace(/^\/api\/fuzz\//, '');
        if (headers['x-victim'] !== undefined) expect([method, url, body]).toEqual(['GET', '/api/victim', '']);
        else expect([url, method]).toEqual([`/api/fuzz/${tag}`, sent.get(tag)]);
        expect(headers['host']).not.toBe('hidden');
      }
      expect(stage.catalog.requests.filter(({ body }) => body === hidden).length).toBeGreaterThan(20);
      expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
      await stage.stop();
    },
  );
});

/** Returns a request of random headers. Every second request also has a correct framing. */
function requestOf(tag: string, random: () => number): { method: string; bytes: string } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const method = pick(methods);
  const [framing, body] = random() < 0.5 ? pick(framings) : ['X-Tag: a', pick(bodies)];
  const lines = [`${method} /api/fuzz/${tag} HTTP/${pick(versions)}`, 'Host: a', framing];
  for (let count = Math.floor(random() * 4); count > 0; count--) {
    const name = pick(random() < 0.8 ? names.slice(0, 3) : names);
    lines.push(`${pick(spellings)(name)}: ${pick(values[name] ?? [''])}`);
  }
  return { method, bytes: `${lines.join('\r\n')}\r\n\r\n${body}` };
}

/** Sends requests of other callers until `stop` is called. Each answer must repeat the caller's own tag. */
function followVictims(port: number): { stop: () => Promise<void> } {
  let isStopped = false;
  const follow = async (lane: number): Promise<void> => {
    let connection = await RawConnection.open(port);
    for (let turn = 0; !isStopped; turn++) {
      const tag = `victim-${String(lane)}-${String(turn)}`;
      connection.write(`GET /api/victim HTTP/1.1\r\nHost: a\r\nX-Victim: ${tag}\r\n\r\n`);
      expect((await connection.answer())?.body).toContain(`"x-victim":"${tag}"`);
      if (turn % 10 === 9) {
        connection.destroy();
        connection = await RawConnection.open(port);
      }
      await pause(1); // leaves the processor to the attacks
    }
    connection.destroy();
  };
  const following = Promise.all([0, 1, 2].map(follow));
  following.catch(() => undefined);
  return {
    stop: async () => {
      isStopped = true;
      await following;
    },
  };
}

/** Returns a generator of numbers from 0 to 1 that repeats for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_769;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
