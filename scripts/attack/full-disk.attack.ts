import { randomBytes } from 'node:crypto';
import { open, realpath, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Finding, Target } from './attack.ts';

/** The maximum room of a file system that may be filled. A larger file system was not created for an attack. */
const maxFillBytes = 2 * 1024 ** 3;

const route = { disk: 'the file system of the data folder', partners: '/api/partners' };
/** Bound on the answer to a read, in milliseconds. */
const maxReadMs = 10_000;
const recoveryMs = 90_000;
const rounds = 20;
const reads = ['/api/partners', '/api/projects', '/api/datasets?limit=10', '/imports', '/datasets/srcsys/diff'];

interface Answered {
  /** Status; undefined if no answer came in time. */
  readonly status: number | undefined;
  /** `503 dependency.down disk_full`, or the reason for which no answer came. */
  readonly text: string;
  readonly ms: number;
}

/** Fills the disk of a system, sends reads and writes, and checks that the system recovers without an operator. */
const attack: Attack = {
  name: 'full-disk',
  async *run(target: Target): AsyncIterable<Finding> {
    const refusal = await refusalOf(target);
    if (refusal !== undefined) {
      yield { attack: 'not run', route: route.disk, answer: refusal, withstood: 'not run' };
      return;
    }
    const filler = join(target.dataFolder ?? '', `attack-filler-${randomBytes(4).toString('hex')}`);
    const name = `ATTACK-${randomBytes(4).toString('hex')}`;
    try {
      await fill(filler);
      yield* readAll(target, 'read on a full disk');
      yield await writeMany(target, name);
      await fill(filler);
      yield* readAll(target, 'read after refused writes');
    } finally {
      await rm(filler, { force: true });
    }
    yield await recovery(target, `${name}-after`);
    yield* readAll(target, 'read after room was made', [200]);
    await removeAll(target, name);
  },
};

export default attack;

/** Returns the reason for which the disk of a system must not be filled; undefined if there is none. */
async function refusalOf({ dataFolder }: Target): Promise<string | undefined> {
  if (dataFolder === undefined) return 'requires --data, the data folder of npm start';
  const folder = await realpath(dataFolder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if ((await stat(folder)).dev === (await stat('/')).dev || free > maxFillBytes) {
    const mebibytes = String(Math.round(free / 1024 ** 2));
    return `the data folder must be a separate file system with at most 2048 MiB free (free: ${mebibytes}); mount one there`;
  }
  return undefined;
}

/** Fills all free space with a file, which may exist. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    for (const size of [1024 * 1024, 4096]) await writeUntilFull(file, Buffer.alloc(size));
  } finally {
    await file.close();
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) await file.write(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function* readAll(target: Target, what: string, allowed = [200, 503]): AsyncIterable<Finding> {
  for (const path of reads) {
    const { status, text, ms } = await call(target, 'GET', path);
    const withstood = status !== undefined && allowed.includes(status) && ms <= maxReadMs;
    yield { attack: what, route: `GET ${path}`, answer: text, stopMs: ms, maxStopMs: maxReadMs, withstood };
  }
}

/** Writes until a write is refused. */
async function writeMany(target: Target, name: string): Promise<Finding> {
  let last: Answered = { status: undefined, text: 'no write', ms: 0 };
  for (let turn = 0; turn < rounds; turn += 1) {
    const items = Array.from({ length: 500 }, (_, at) => ({
      ...{ external_id: `${name}-${String(turn)}-${String(at)}`, acronym: '' },
      name: `${name} ${String(turn)} ${String(at)} ${'x'.repeat(300)}`,
    }));
    last = await call(target, 'POST', '/api/import/partners', { items });
    if (last.status !== 200) break;
  }
  const withstood = last.status === 200 || last.status === 503 || last.status === 507;
  return {
    ...{ attack: 'write on a full disk', route: 'POST /api/import/partners', answer: last.text },
    ...{ stopMs: last.ms, withstood },
  };
}

/** Waits until a write succeeds without an operator's help. */
async function recovery(target: Target, name: string): Promise<Finding> {
  const since = performance.now();
  let last: Answered;
  do {
    last = await call(target, 'POST', route.partners, { external_id: name, name, acronym: '' });
    if (last.status !== 201) await pause(500);
  } while (last.status !== 201 && performance.now() - since < recoveryMs);
  return {
    ...{ attack: 'write after room was made', route: `POST ${route.partners}`, answer: last.text },
    ...{ stopMs: performance.now() - since, maxStopMs: recoveryMs, withstood: last.status === 201 },
  };
}

/** Removes the partners that the attack created. */
async function removeAll(target: Target, name: string): Promise<void> {
  const answer = await fetch(`${target.origin}${route.partners}`, { headers: { 'X-API-Key': target.globalKey } });
  const { results } = (await answer.json()) as { results: { id: number; external_id: string | null }[] };
  for (const { id, external_id } of results) {
    if (external_id?.startsWith(name)) await call(target, 'DELETE', `${route.partners}/${String(id)}`);
  }
}

async function call({ origin, globalKey }: Target, method: string, path: string, body?: unknown): Promise<Answered> {
  const since = performance.now();
  try {
    const answer = await fetch(`${origin}${path}`, {
      ...{ method, headers: { 'X-API-Key': globalKey }, signal: AbortSignal.timeout(60_000) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text: `${String(answer.status)} ${codeOf(text)}`, ms: performance.now() - since };
  } catch (error) {
    return { status: undefined, text: `no answer: ${String(error)}`, ms: performance.now() - since };
  }
}

function codeOf(text: string): string {
  try {
    const { more } = JSON.parse(text) as { more?: { code?: string; reason?: string } };
    return [more?.code, more?.reason].filter(Boolean).join(' ');
  } catch {
    return '';
  }
}
