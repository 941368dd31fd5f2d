import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Finding, Target } from './attack.ts';

/** The longest time in which a delivery may keep other callers waiting, over HTTP, in milliseconds. */
const maxStopMs = 250;

/** Longest wait for a scan or an answer, in milliseconds. */
const patienceMs = 120_000;

const betweenProbesMs = 5;

const megabyte = 1_000_000;

/** A delivery of one dataset, and the code of the problem that it must be; null if it must be none. */
interface HostileDelivery {
  readonly name: string;
  readonly file: string;
  readonly begin: string;
  readonly part: string;
  readonly bytes: number;
  readonly end: string;
  readonly problem: string;
}

const deliveries: readonly HostileDelivery[] = [
  {
    ...{ name: '12 MB of nested lists', file: 'datapackage.json', begin: '{"resources":[', part: '[' },
    ...{ bytes: 12 * megabyte, end: '', problem: 'descriptor.invalid' },
  },
  {
    ...{ name: '32 MB of empty lists', file: 'ro-crate-metadata.json', begin: '{"@graph":[', part: '[],' },
    ...{ bytes: 32 * megabyte, end: '0]}', problem: 'descriptor.invalid' },
  },
  {
    ...{ name: 'a text of 60 MB', file: 'datapackage.json', begin: '{"resources":[],"x":"', part: 'x' },
    ...{ bytes: 60 * megabyte, end: '"}', problem: 'descriptor.too_large' },
  },
  {
    ...{ name: 'a resource of many parts', file: 'datapackage.json', begin: '{"resources":[{"x":[', part: '{},' },
    ...{ bytes: 32 * megabyte, end: '0]}]}', problem: 'descriptor.too_large' },
  },
  {
    ...{ name: 'a descriptor of 65 MB', file: 'datapackage.json', begin: '{"resources":[]', part: ' ' },
    ...{ bytes: 68 * megabyte, end: '}', problem: 'descriptor.too_large' },
  },
  {
    ...{ name: 'a list with a line of 200 MB', file: 'md5sums.txt', begin: '', part: 'x' },
    ...{ bytes: 200 * megabyte, end: '', problem: 'descriptor.invalid' },
  },
];

/** Hostile deliveries below the source's folder: none may stop, end or pass the provisioner unnamed. */
const attack: Attack = {
  name: 'deliveries',
  async *run(target) {
    if (target.dataFolder === undefined) return;
    const source = join(target.dataFolder, 'source');
    for (const [at, delivery] of deliveries.entries()) yield* attacked(target, source, delivery, at);
    yield* oddEntries(target, source);
  },
};

export default attack;

async function* attacked(
  target: Target,
  source: string,
  delivery: HostileDelivery,
  at: number,
): AsyncGenerator<Finding> {
  const [reference, dataset] = [`ATTACK-${String(at)}`, `ATTACK-DS-${String(at)}`];
  const folder = join(source, reference, dataset);
  try {
    const scanned = await scannedAt(target);
    await lay(folder, delivery);
    const scan = await probed(target, () => nextScan(target, scanned));
    yield { attack: `${delivery.name}, scanned`, route: 'GET /datasets/srcsys', ...judged('scanned', true, scan) };
    const path = `/datasets/srcsys/${dataset}`;
    const read = await probed(target, () => answer(target, path));
    const isNamed = problemsOf(read.result).includes(delivery.problem);
    yield { attack: `${delivery.name}, read`, route: `GET ${path}`, ...judged(delivery.problem, isNamed, read) };
    const body = JSON.stringify({ dataset_id: dataset });
    const plan = await probed(target, () => answer(target, '/datasets/srcsys/import?dry_run=true', body));
    const isPlanned = codesOf(plan.result).includes(delivery.problem);
    const route = 'POST /datasets/srcsys/import?dry_run=true';
    yield { attack: `${delivery.name}, planned`, route, ...judged(delivery.problem, isPlanned, plan) };
  } finally {
    await rm(join(source, reference), { recursive: true, force: true });
  }
}

/** A hard link to a file beside the source, and a name that changes its direction: both must be reported. */
async function* oddEntries(target: Target, source: string): AsyncGenerator<Finding> {
  const folder = join(source, 'ATTACK-ODD/ATTACK-DS-ODD');
  const outside = `${source}-attack-outside`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(outside, 'outside');
    await link(outside, join(folder, 'linked'));
    await writeFile(join(folder, 'rtl\u202egpj.exe'), '');
    const path = '/datasets/srcsys/ATTACK-DS-ODD';
    const { result } = await probed(target, () => answer(target, path));
    const reported = [...problemsOf(result), ...textsOf(result, 'warnings')];
    for (const code of ['file.hard_link', 'name.unsafe'])
      yield { attack: code, route: `GET ${path}`, answer: reported.join(' '), withstood: reported.includes(code) };
  } finally {
    await rm(join(source, 'ATTACK-ODD'), { recursive: true, force: true });
    await rm(outside, { force: true });
  }
}

async function lay(folder: string, { file, begin, part, bytes, end }: HostileDelivery): Promise<void> {
  await mkdir(folder, { recursive: true });
  const written = await open(join(folder, file), 'w');
  const many = part.repeat(Math.ceil(megabyte / part.length));
  await written.write(begin);
  for (let count = 0; count < bytes; count += many.length) await written.write(many);
  await written.write(end);
  await written.close();
}

interface Probed<T> {
  readonly result: T | null;
  readonly stopMs: number;
}

/** Does something while another caller asks again and again. @returns the longest that this caller waited */
async function probed<T>(target: Target, work: () => Promise<T>): Promise<Probed<T>> {
  const state = { isOver: false };
  const working = work()
    .catch(() => null)
    .finally(() => {
      state.isOver = true;
    });
  let stopMs = 0;
  while (!state.isOver) {
    const asked = performance.now();
    await answer(target, '/imports/storage').catch(() => pause(betweenProbesMs));
    stopMs = Math.max(stopMs, performance.now() - asked);
    await pause(betweenProbesMs);
  }
  return { result: await working, stopMs: Math.round(stopMs) };
}

function judged(
  wanted: string,
  isAsWanted: boolean,
  { result, stopMs }: Probed<unknown>,
): Pick<Finding, 'answer' | 'stopMs' | 'maxStopMs' | 'withstood'> {
  const said = result === null ? 'no answer' : isAsWanted ? wanted : `not ${wanted}`;
  return { answer: said, stopMs, maxStopMs, withstood: result !== null && isAsWanted && stopMs <= maxStopMs };
}

async function answer({ origin, globalKey }: Target, path: string, body?: string): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    headers: { 'X-API-Key': globalKey, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body }),
    signal: AbortSignal.timeout(patienceMs),
  });
  return response.json();
}

async function scannedAt(target: Target): Promise<string> {
  const { as_of } = (await answer(target, '/datasets/srcsys?limit=1')) as { readonly as_of: string | null };
  return as_of ?? '';
}

/** Waits for the second scan after a moment: the first may have begun before it. */
async function nextScan(target: Target, after: string): Promise<string> {
  const end = performance.now() + patienceMs;
  let last = after;
  for (let scans = 0; scans < 2;) {
    if (performance.now() > end) throw new Error('The source was not scanned.');
    await pause(betweenProbesMs * 100);
    const now = await scannedAt(target);
    if (now > last) scans += 1;
    last = now;
  }
  return last;
}

function textsOf(value: unknown, member: string): readonly string[] {
  const texts = (value as Readonly<Record<string, unknown>> | null)?.[member];
  return Array.isArray(texts) ? texts.map(String) : [];
}

function problemsOf(value: unknown): readonly string[] {
  return textsOf(value, 'problems');
}

function codesOf(value: unknown): readonly string[] {
  const problems = (value as { readonly problems?: readonly { readonly code: string }[] } | null)?.problems ?? [];
  return problems.map(({ code }) => code);
}
