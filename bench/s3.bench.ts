import { startCeph, type RunningCeph } from '../scripts/ceph.ts';
import { pairwise, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { isThere, secondsOf } from './command.ts';
import { Engine } from './copy-stage.ts';
import { bucketAs, folderAs, type Role, type Side } from './s3-stage.ts';
import { slowStore } from './slow-store.ts';
import { workerPeaksMb } from './worker-stage.ts';

const mebibyte = 1024 * 1024;

/** Number of files that are copied concurrently, by us and by rclone. */
const filesAtOnce = 4;

/** The engine's settings for this concurrency. */
const engineSettings = { COPY_THREADS: String(filesAtOnce / 2), SOURCE_SETTLE: '0' };

/** The source and the target of a copy. */
interface Way {
  readonly from: 'folder' | 'S3';
  readonly to: 'folder' | 'S3';
  /** Whether the storage belongs to a user who may not read the source, so that the store cannot copy by itself. */
  readonly isForeign?: true;
  /** The delay of each response of the store; by default none. */
  readonly latencyMs?: number;
}

/** The files of a copy. */
interface Load {
  readonly files: number;
  readonly size: number;
}

const fewLarge = ({ quick }: BenchmarkOptions): Load => ({ files: quick ? 4 : 8, size: 64 * mebibyte });
const manySmall = ({ quick }: BenchmarkOptions): Load => ({ files: quick ? 500 : 2000, size: 64 * 1024 });

const sideAs = (kind: Way['from'], role: Role, ceph: RunningCeph): Promise<Side> =>
  kind === 'S3' ? bucketAs(role, ceph) : folderAs(role);

/** Runs some work with a new Ceph store. With a latency, reports the processor share of the proxy in front of it. */
async function withCeph<T>(work: (ceph: RunningCeph) => Promise<T>, latencyMs = 0): Promise<T> {
  const ceph = await startCeph();
  try {
    if (latencyMs === 0) return await work(ceph);
    const slow = await slowStore(ceph.endpoint, latencyMs);
    try {
      return await work({ ...ceph, endpoint: slow.endpoint });
    } finally {
      const share = await slow.stop();
      process.stderr.write(`toxiproxy used ${(share * 100).toFixed(0)} % of the processors\n`);
    }
  } finally {
    await ceph.stop();
  }
}

/** Measures our import and `rclone copy` alternately, each into an empty storage, in files or MiB per second. */
function compare(way: Way, loadOf: typeof fewLarge): (options: BenchmarkOptions) => Promise<Measured> {
  return async (options) => {
    if (way.latencyMs === undefined || (await isThere('go')))
      return withCeph((ceph) => compareIn(ceph, way, loadOf(options), options.quick ? 3 : 5), way.latencyMs);
    process.stderr.write('Nothing is measured: toxiproxy, which slows the store down, requires Go.\n');
    return { ours: Number.NaN, baseline: null, ratios: [] };
  };
}

async function compareIn(
  ceph: RunningCeph,
  { from, to, isForeign }: Way,
  { files, size }: Load,
  rounds: number,
): Promise<Measured> {
  const keys = isForeign ? await ceph.addUser() : {};
  const [source, storage] = [await sideAs(from, 'SOURCE', ceph), await sideAs(to, 'STORAGE', { ...ceph, ...keys })];
  const engine = new Engine({ ...engineSettings, ...source.settings, ...storage.settings });
  try {
    await source.lay('DS-1', files, size);
    await source.lay('WARM-UP', 200, 1024);
    await engine.import('WARM-UP');
    const work = size >= mebibyte ? (files * size) / mebibyte : files;
    const ours = async (): Promise<number> => {
      await storage.renew();
      return work / (await engine.import('DS-1')).wholeSeconds;
    };
    const theirs = async (): Promise<number> => {
      await storage.renew();
      return work / (await rclone(source, storage));
    };
    const measured = await pairwise(rounds, ours, (await isThere('rclone')) ? theirs : null);
    process.stderr.write(`peak ${String(Math.round(await engine.peakMb()))} MB\n`);
    return measured;
  } finally {
    await engine.close();
    await source.remove();
    await storage.remove();
  }
}

/** Copies the dataset DS-1 with rclone. @returns the duration in seconds */
function rclone(source: Side, storage: Side): Promise<number> {
  const [from, to] = [`${source.rclone.root}/SUB-1/DS-1`, `${storage.rclone.root}/theirs/DS-1`];
  const copy = ['rclone', '--config', '/dev/null', 'copy', '--checksum', '--transfers', String(filesAtOnce), from, to];
  // If this variable names certificates, rclone refuses to start.
  return secondsOf('env', '-u', 'AWS_CA_BUNDLE', ...source.rclone.env, ...storage.rclone.env, ...copy);
}

/** Measures the peak memory of a worker through which all bytes pass from bucket to bucket. */
function memory(options: BenchmarkOptions): Promise<Measured> {
  const limitMb = 256;
  return withCeph(async (ceph) => {
    const other = { ...ceph, ...(await ceph.addUser()) };
    const [source, storage] = [await bucketAs('SOURCE', ceph), await bucketAs('STORAGE', other)];
    const loads = Object.entries({ SMALL: manySmall(options), LARGE: fewLarge(options) });
    for (const [id, { files, size }] of loads) await source.lay(id, files, size);
    const settings = { ...engineSettings, ...source.settings, ...storage.settings };
    const peaks = await workerPeaksMb(
      settings,
      loads.map(([id]) => ['import', id]),
    );
    const peak = Math.max(...peaks);
    return { ours: peak, baseline: limitMb, ratios: [peak / limitMb] };
  });
}

const nearWays: readonly Way[] = [
  { from: 'folder', to: 'S3' },
  { from: 'S3', to: 'folder' },
  { from: 'S3', to: 'S3' },
  { from: 'S3', to: 'S3', isForeign: true },
];
const ways = [...nearWays, ...nearWays.map((way) => ({ ...way, latencyMs: 1 }))];

/** Describes the difference between two buckets of one user: rclone transfers all bytes, ours lets the store copy. */
const divided = ({ from, to, isForeign }: Way): string =>
  from === 'S3' && to === 'S3' && !isForeign ? ', which reads and writes; the store copies our large objects' : '';

const benchmarks: readonly Benchmark[] = [
  ...ways.flatMap((way): Benchmark[] => {
    const ours = `a whole import from ${way.from} to ${way.to}${way.isForeign ? " of another user's" : ''}`;
    const compares = `${ours} / rclone copy --checksum${divided(way)}, four files at once each`;
    const store = way.latencyMs === undefined ? 's3' : `s3 with ${String(way.latencyMs)} ms`;
    const name = (load: string): string =>
      `${store}: ${way.from} to ${way.isForeign ? 'foreign ' : ''}${way.to}, ${load}`;
    return [
      { name: name('8 x 64 MiB'), unit: 'MiB/s', compares, goal: 1, measure: compare(way, fewLarge) },
      { name: name('2,000 x 64 KiB'), unit: 'objects/s', compares, goal: 1, measure: compare(way, manySmall) },
    ];
  }),
  {
    name: 's3: memory, S3 to foreign S3',
    unit: 'MB',
    compares: 'peak memory of a built worker / the allowed 256 MB',
    goal: 1,
    atMost: true,
    measure: memory,
  },
];

export default benchmarks;
