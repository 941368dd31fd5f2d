import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pairwise, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { DiffStage, withService } from './diff-stage.ts';

/** Datasets of a full run, on each side. */
const fullSize = 100_000;

const sizeOf = ({ quick }: BenchmarkOptions): number => (quick ? fullSize / 10 : fullSize);
const roundsOf = ({ quick }: BenchmarkOptions): number => (quick ? 5 : 15);

async function onStage(options: BenchmarkOptions, work: (stage: DiffStage) => Promise<Measured>): Promise<Measured> {
  const stage = new DiffStage(sizeOf(options));
  try {
    return await work(stage);
  } finally {
    stage.remove();
  }
}

async function milliseconds(action: () => unknown): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

/** Lists the names of both sides, which is the minimum that any comparison must read. */
function bareListing({ source, raw }: DiffStage): void {
  for (const submission of readdirSync(source)) readdirSync(join(source, submission));
  readdirSync(raw);
}

/** Compares one request for the diff, over HTTP to its last byte, with the bare listing. */
function warmDiff(options: BenchmarkOptions, before: (stage: DiffStage) => void, path: string): Promise<Measured> {
  return onStage(options, (stage) =>
    withService(stage, async ({ read }) => {
      const ours = (): Promise<number> => {
        before(stage);
        return milliseconds(() => read(path));
      };
      const bare = (): Promise<number> =>
        milliseconds(() => {
          bareListing(stage);
        });
      await pairwise(2, ours, bare);
      return pairwise(roundsOf(options), ours, bare);
    }),
  );
}

async function withinLimit(options: BenchmarkOptions): Promise<Measured> {
  const limitMs = 250;
  const { ours } = await warmDiff(
    options,
    (stage) => {
      stage.publish();
    },
    '/datasets/srcsys/diff',
  );
  return { ours, baseline: limitMs, ratios: [ours / limitMs] };
}

interface Adapters {
  readonly FolderSource: new (
    root: string,
    marker: string,
  ) => { list(): Promise<readonly { datasets: readonly string[] }[]> };
  readonly PosixStorage: new (root: string) => {
    commits(kind: 'dataset'): Promise<{ readonly bySubject: ReadonlyMap<string, unknown> }>;
  };
}

/** Compares the first diff of a process with reading every commit record once. */
function coldDiff(options: BenchmarkOptions): Promise<Measured> {
  return onStage(options, async (stage) => {
    const built = async (path: string): Promise<Adapters> =>
      (await import(new URL(`../apps/provisioner/dist/${path}`, import.meta.url).href)) as Adapters;
    const { FolderSource } = await built('source/folder/folder-source.js');
    const { PosixStorage } = await built('storage/posix/posix-storage.js');
    const ours = (): Promise<number> =>
      milliseconds(async () => {
        const [source, storage] = [new FolderSource(stage.source, '.ready'), new PosixStorage(stage.storage)];
        const [submissions, { bySubject }] = await Promise.all([source.list(), storage.commits('dataset')]);
        return submissions.flatMap(({ datasets }) => datasets.filter((id) => !bySubject.has(id)));
      });
    const bare = (): Promise<number> =>
      milliseconds(() => {
        for (const name of readdirSync(stage.raw)) {
          JSON.parse(readFileSync(join(stage.raw, name, '.import/commit.json'), 'utf8'));
        }
      });
    await pairwise(1, ours, bare);
    return pairwise(Math.min(5, roundsOf(options)), ours, bare);
  });
}

/** Measures the growth of memory through 99 times as many datasets, after every list and diff was read. */
async function memoryGrowth(options: BenchmarkOptions): Promise<Measured> {
  const limitMb = 256;
  const paths = ['/datasets/srcsys', '/datasets/srcsys/diff', '/submissions/srcsys', '/submissions/srcsys/diff'];
  const peak = async (datasets: number): Promise<number> => {
    const stage = new DiffStage(datasets);
    try {
      return await withService(stage, async ({ read, peakMb }) => {
        for (let time = 0; time < 3; time += 1) for (const path of paths) await read(path);
        return peakMb();
      });
    } finally {
      stage.remove();
    }
  };
  const growth = (await peak(sizeOf(options))) - (await peak(sizeOf(options) / 100));
  return { ours: growth, baseline: limitMb, ratios: [growth / limitMb] };
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'diff: nothing changed',
    unit: 'ms',
    compares: 'time of GET /datasets/srcsys/diff, ours / readdir of both sides',
    goal: 3,
    atMost: true,
    measure: (options) => warmDiff(options, () => undefined, '/datasets/srcsys/diff'),
  },
  {
    name: 'diff: one more is published',
    unit: 'ms',
    compares: 'time of GET /datasets/srcsys/diff after each publication, ours / readdir of both sides',
    goal: 3,
    atMost: true,
    measure: (options) =>
      warmDiff(
        options,
        (stage) => {
          stage.publish();
        },
        '/datasets/srcsys/diff',
      ),
  },
  {
    name: 'diff: of submissions',
    unit: 'ms',
    compares: 'time of GET /submissions/srcsys/diff after each publication, ours / readdir of both sides',
    goal: 3,
    atMost: true,
    measure: (options) =>
      warmDiff(
        options,
        (stage) => {
          stage.publish();
        },
        '/submissions/srcsys/diff?incomplete=true&limit=100',
      ),
  },
  {
    name: 'diff: warm, in time',
    unit: 'ms',
    compares: 'ms of the diff after a publication / the allowed 250 ms',
    goal: 1,
    atMost: true,
    measure: withinLimit,
  },
  {
    name: 'diff: cold',
    unit: 'ms',
    compares: 'a first diff, ours / reading every commit record once',
    goal: 1.5,
    atMost: true,
    measure: coldDiff,
  },
  {
    name: 'diff: memory',
    unit: 'MB',
    compares: 'growth of peak memory with 100 times the datasets, every list read / the allowed 256 MB',
    goal: 1,
    atMost: true,
    measure: memoryGrowth,
  },
];

export default benchmarks;
