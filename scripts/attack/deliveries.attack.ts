import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Finding, Target } from './attack.ts';
import { StopProbe, whileProbed } from './stop-probe.ts';

/** Bounds on the stop of the provisioner, in milliseconds. A scan serves no request. The others serve a caller with a key. */
const bounds = { scan: 50, request: 250 } as const;

/** Number of measurements of a stop above its bound. The shortest counts. */
const repeats = 3;

/** Maximum wait for a scan or an answer, in milliseconds. */
const patienceMs = 120_000;

const betweenLooksMs = 250;

const dryRun = '/datasets/srcsys/import?dry_run=true&wait=60';

const megabyte = 1_000_000;

/** A delivery of one dataset, and the code of the problem that must be reported; null if none may be reported. */
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

/** Hostile deliveries in the source. None may stop or end the provisioner, or be accepted without a reported problem. */
const attack: Attack = {
  name: 'deliveries',
  async *run(target) {
    if (target.dataFolder === undefined) {
      const answer = 'requires --data, the data folder of npm start';
      yield { attack: 'deliveries', route: 'the source', answer, withstood: 'not run' };
      return;
    }
    const source = join(target.dataFolder, 'source');
    const probe = await StopProbe.start({ url: `${target.origin}/imports/storage`, key: target.globalKey });
    try {
      yield probe.noise;
      for (const [at, delivery] of deliveries.entries()) yield* attackWith({ target, probe, source }, delivery, at);
    } finally {
      await probe.end();
    }
    yield* layOddEntries(target, source);
  },
};

export default attack;

interface Stage {
  readonly target: Target;
  readonly probe: StopProbe;
  readonly source: string;
}

async function* attackWith(stage: Stage, delivery: HostileDelivery, at: number): AsyncGenerator<Finding> {
  const { target, source } = stage;
  const { name, problem } = delivery;
  const prefix = `ATTACK-${String(at)}`;
  let dataset = '';
  let attempts = 0;
  try {
    // The scan does not read an unchanged delivery again, so each attempt writes a new one.
    const scan = (): Promise<readonly string[]> => scanned(target, dataset);
    const layNext = async (): Promise<void> => {
      attempts += 1;
      dataset = `${prefix}-${String(attempts)}`;
      await lay(join(source, dataset), dataset, delivery);
    };
    yield { attack: name, route: 'scan', ...(await measured(stage, 'scan', problem, scan, layNext)) };
    const path = `/datasets/srcsys/${dataset}`;
    const read = async (): Promise<readonly string[]> => problemsOf(await answer(target, path));
    yield { attack: name, route: `GET ${path}`, ...(await measured(stage, 'request', problem, read)) };
    const body = JSON.stringify({ dataset_id: dataset });
    const plan = async (): Promise<readonly string[]> => codesOf(await answer(target, dryRun, body), 'problems');
    yield { attack: name, route: `POST ${dryRun}`, ...(await measured(stage, 'request', problem, plan)) };
  } finally {
    for (let each = 1; each <= attempts; each += 1)
      await rm(join(source, `${prefix}-${String(each)}`), { recursive: true, force: true });
  }
}

/** Attacks with a hard link to a file outside the source, and with a name that changes the direction of text. */
async function* layOddEntries(target: Target, source: string): AsyncGenerator<Finding> {
  const folder = join(source, 'ATTACK-ODD/ATTACK-DS-ODD');
  const outside = `${source}-attack-outside`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(outside, 'outside');
    await link(outside, join(folder, 'linked'));
    await writeFile(join(folder, 'rtl\u202egpj.exe'), '');
    const result = await answer(target, dryRun, JSON.stringify({ dataset_id: 'ATTACK-DS-ODD' }));
    const reported = [...codesOf(result, 'problems'), ...codesOf(result, 'warnings')];
    for (const code of ['file.hard_link', 'name.unsafe'])
      yield { attack: code, route: `POST ${dryRun}`, answer: reported.join(' '), withstood: reported.includes(code) };
  } finally {
    await rm(join(source, 'ATTACK-ODD'), { recursive: true, force: true });
    await rm(outside, { force: true });
  }
}

/** Writes a submission of one dataset next to the source and moves it there, so that no scan reads a part of it. */
async function lay(folder: string, dataset: string, delivery: HostileDelivery): Promise<void> {
  const { file, begin, part, bytes, end } = delivery;
  const draft = `${dirname(folder)}-${dataset}`;
  await mkdir(join(draft, dataset), { recursive: true });
  const written = await open(join(draft, dataset, file), 'w');
  const many = part.repeat(Math.ceil(megabyte / part.length));
  await written.write(begin);
  for (let count = 0; count < bytes; count += many.length) await written.write(many);
  await written.write(end);
  await written.close();
  await rename(draft, folder);
}

/**
 * Does some work, and repeats it if other callers waited too long.
 *
 * @param wanted the problem that the work must name
 * @param prepare is done before each attempt and is not measured
 */
async function measured(
  { probe }: Stage,
  bound: keyof typeof bounds,
  wanted: string,
  work: () => Promise<readonly string[]>,
  prepare?: () => Promise<void>,
): Promise<Pick<Finding, 'answer' | 'stopMs' | 'maxStopMs' | 'withstood'>> {
  const maxStopMs = probe.boundWithNoise(bounds[bound]);
  let least = Infinity;
  let said: readonly string[] = [];
  for (let times = 0; times < repeats && least > maxStopMs; times += 1) {
    await prepare?.();
    const { result, stopMs } = await whileProbed(probe, () => work().catch((error: unknown) => [String(error)]));
    least = Math.min(least, stopMs);
    said = result;
  }
  const isAsWanted = said.includes(wanted);
  const shown = isAsWanted ? wanted : `not ${wanted}: ${said.join(' ') || 'no problem'}`;
  return { answer: shown, stopMs: least, maxStopMs, withstood: isAsWanted && least <= maxStopMs };
}

async function answer({ origin, globalKey }: Target, path: string, body?: string): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    headers: { 'X-API-Key': globalKey, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body }),
    signal: AbortSignal.timeout(patienceMs),
  });
  return response.json();
}

/**
 * Waits until the list shows a scan of a dataset. A list that shows a new name has the source scanned soon.
 *
 * @returns the problems that the scan has found
 * @throws Error if the dataset is not scanned in time
 */
async function scanned(target: Target, dataset: string): Promise<readonly string[]> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const { items } = (await answer(target, '/datasets/srcsys?limit=500')) as { readonly items: readonly Listed[] };
    const listed = items.find(({ id }) => id === dataset);
    if (listed && listed.files !== null) return problemsOf(listed);
    await pause(betweenLooksMs);
  }
  throw new Error(`${dataset} was not scanned within ${String(patienceMs / 1000)} s.`);
}

/** A dataset of the list. Its number of files is null until a scan has walked it. */
interface Listed {
  readonly id: string;
  readonly files: number | null;
}

function problemsOf(value: unknown): readonly string[] {
  const texts = (value as { readonly problems?: unknown } | null)?.problems;
  return Array.isArray(texts) ? texts.map(String) : [];
}

/** Returns the codes of the problems or of the warnings of a plan. */
function codesOf(value: unknown, member: 'problems' | 'warnings'): readonly string[] {
  const found = (value as Partial<Record<typeof member, readonly { readonly code: string }[]>> | null)?.[member];
  return (found ?? []).map(({ code }) => code);
}
