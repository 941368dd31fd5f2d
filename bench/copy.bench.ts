import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pairwise, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { isThere, secondsOf } from './command.ts';
import {
  declareChecksums,
  Engine,
  layDataset,
  layFiles,
  urlOf,
  type FileGroup,
  type ImportTimes,
} from './copy-stage.ts';
import { inMemory, lacksImage, onImage, onOneImage, type Ground } from './ground.ts';
import { workerPeaksMb } from './worker-stage.ts';

const mebibyte = 1024 * 1024;

/** A copy of one dataset, and the baseline with which the copy is compared. */
interface Comparison {
  /** Writes the dataset DS-1 into a source. @returns its size in the benchmark's unit */
  readonly lay: (source: string) => Promise<number>;
  readonly rounds: number;
  /** Creates a ground for the source and one for the copies. */
  readonly grounds: () => Promise<readonly [Ground, Ground]>;
  readonly baseline: Baseline;
  /** The measured one of the engine's durations. */
  readonly timed: 'copySeconds' | 'wholeSeconds';
  /** Whether the source is removed from the page cache before each copy. */
  readonly cold?: boolean;
}

/** A function that copies a folder and returns the seconds; null if its program is not installed. */
type Baseline = (from: string, to: string) => Promise<number | null>;

const cp: Baseline = (from, to) => secondsOf('cp', '-r', from, to);
const cpAndSync: Baseline = (from, to) => secondsOf('sh', '-c', 'cp -r "$0" "$1" && sync -f "$1"', from, to);
const cpInFullAndSync: Baseline = (from, to) =>
  secondsOf('sh', '-c', 'cp -r --reflink=never "$0" "$1" && sync -f "$1"', from, to);
const cpAndSum: Baseline = (from, to) =>
  secondsOf('sh', '-c', 'cp -r "$0" "$1" && find "$1" -type f -exec sha256sum {} + > /dev/null', from, to);
const rclone: Baseline = async (from, to) =>
  (await isThere('rclone')) ? secondsOf('rclone', 'copy', '--checksum', from, to) : null;

/** Measures our copy and the baseline alternately, each into an empty folder, in files or MiB per second. */
async function compare(wanted: Comparison): Promise<Measured> {
  const [source, target] = await wanted.grounds();
  const engine = new Engine({
    SOURCE_URL: urlOf(source.folder),
    STORAGE_URL: urlOf(target.folder),
    SOURCE_SETTLE: '0',
  });
  try {
    const work = await wanted.lay(source.folder);
    await layDataset(source.folder, 'WARM-UP', 2000, 1024);
    await engine.import('WARM-UP');
    const prepare = async (): Promise<void> => {
      await target.renew();
      if (wanted.cold) await source.chill();
    };
    const ours = async (): Promise<number> => {
      await prepare();
      const times: ImportTimes = await engine.import('DS-1');
      return work / times[wanted.timed];
    };
    const theirs = async (): Promise<number | null> => {
      await prepare();
      await mkdir(join(target.folder, 'theirs'));
      const seconds = await wanted.baseline(join(source.folder, 'SUB-1/DS-1'), join(target.folder, 'theirs/DS-1'));
      return seconds === null ? null : work / seconds;
    };
    const hasBaseline = (await theirs()) !== null;
    await ours();
    const measured = await pairwise(wanted.rounds, ours, hasBaseline ? async () => (await theirs()) ?? 0 : null);
    process.stderr.write(`peak ${String(Math.round(await engine.peakMb()))} MB\n`);
    return measured;
  } finally {
    await engine.close();
    await source.remove();
    await target.remove();
  }
}

const both = async (make: () => Promise<Ground>): Promise<readonly [Ground, Ground]> => [await make(), await make()];

async function freshExt4(bytes: number, place: 'memory' | 'disk'): Promise<readonly [Ground, Ground]> {
  const lack = await lacksImage('ext4');
  if (lack === null) return both(() => onImage('ext4', bytes, place));
  process.stderr.write(`The files are in memory instead of on a fresh ext4: ${lack}.\n`);
  return both(inMemory);
}

async function oneThatClones(kind: 'xfs' | 'btrfs', bytes: number): Promise<readonly [Ground, Ground]> {
  const lack = await lacksImage(kind);
  if (lack === null) return onOneImage(kind, bytes);
  process.stderr.write(`The files are in memory instead of on ${kind}, so they are not cloned: ${lack}.\n`);
  return both(inMemory);
}

/** Returns a writer of files of one size. The unit is MiB for large files and files for small ones. */
function filesOf(count: number, size: number): Comparison['lay'] {
  return async (source) => {
    await layDataset(source, 'DS-1', count, size);
    return size >= mebibyte ? (count * size) / mebibyte : count;
  };
}

const roundsOf = ({ quick }: BenchmarkOptions): number => (quick ? 3 : 5);

function oneFile(gibibytes: number, baseline: Baseline): (options: BenchmarkOptions) => Promise<Measured> {
  return (options) =>
    compare({
      ...{ lay: filesOf(1, (gibibytes * 1024 * mebibyte) / (options.quick ? 4 : 1)), rounds: roundsOf(options) },
      ...{ grounds: () => both(inMemory), baseline, timed: 'copySeconds' },
    });
}

function sixtyFour(how: 'cold' | 'warm', baseline: Baseline): (options: BenchmarkOptions) => Promise<Measured> {
  return (options) =>
    compare({
      ...{ lay: filesOf(options.quick ? 16 : 64, 16 * mebibyte), rounds: roundsOf(options), baseline },
      grounds: () => freshExt4(2048 * mebibyte, how === 'cold' ? 'disk' : 'memory'),
      ...{ timed: how === 'cold' ? 'wholeSeconds' : 'copySeconds', cold: how === 'cold' },
    });
}

function cloned(kind: 'xfs' | 'btrfs'): (options: BenchmarkOptions) => Promise<Measured> {
  return (options) =>
    compare({
      ...{ lay: filesOf(options.quick ? 16 : 64, 16 * mebibyte), rounds: roundsOf(options) },
      ...{ grounds: () => oneThatClones(kind, 4096 * mebibyte), baseline: cpInFullAndSync, timed: 'wholeSeconds' },
    });
}

function manySmall(timed: Comparison['timed'], baseline: Baseline): (options: BenchmarkOptions) => Promise<Measured> {
  return (options) =>
    compare({
      ...{ lay: filesOf(options.quick ? 20_000 : 100_000, 8192), rounds: roundsOf(options), baseline, timed },
      grounds: () => freshExt4(2048 * mebibyte, 'memory'),
    });
}

/** Measures a run as a sequencer writes it, on a fresh ext4 on the disk: 200,000 small files and 4 of 2 GiB. */
function sequencerRun(options: BenchmarkOptions): Promise<Measured> {
  const [small, large] = options.quick ? [20_000, 1] : [200_000, 4];
  const groups: readonly FileGroup[] = [
    { name: 'logs', count: (small * 4) / 5, sizes: [0, 8191] },
    { name: 'tiles', count: small / 5, sizes: [8192, 16_384] },
    { name: 'reads', count: large, sizes: [2048 * mebibyte, 2048 * mebibyte] },
  ];
  return compare({
    lay: async (source) => (await layFiles(source, 'DS-1', groups)) / mebibyte,
    ...{ rounds: roundsOf(options), baseline: rclone, timed: 'copySeconds' },
    grounds: () => freshExt4(12 * 1024 * mebibyte, 'disk'),
  });
}

/** Measures the peak memory of a worker that imports and verifies many files after an import of ten files. */
async function memory(
  { quick }: BenchmarkOptions,
  { filesPerFolder = 1000, declared = false }: { readonly filesPerFolder?: number; readonly declared?: boolean },
): Promise<Measured> {
  const limitMb = 512;
  const [source, target] = await both(inMemory);
  try {
    await layDataset(source.folder, 'FEW', 10, 1024);
    await layDataset(source.folder, 'MANY', quick ? 100_000 : 1_000_000, 1024, filesPerFolder);
    if (declared) await declareChecksums(source.folder, 'MANY');
    const commands = ['import FEW', 'import MANY', 'verify MANY'].map((command) => command.split(' '));
    const places = { SOURCE_URL: urlOf(source.folder), STORAGE_URL: urlOf(target.folder) };
    const peaks = await workerPeaksMb(places, commands);
    const [few = 0, many = 0, verified = 0] = peaks.map(Math.round);
    process.stderr.write(`peak ${String(few)} MB after 10 files, ${String(many)} MB after the many files\n`);
    return { ours: verified, baseline: limitMb, ratios: [verified / limitMb] };
  } finally {
    await source.remove();
    await target.remove();
  }
}

const benchmarks: readonly Benchmark[] = [
  ...[1, 4].flatMap((gibibytes): Benchmark[] => [
    {
      name: `copy: ${String(gibibytes)} GiB / cp`,
      unit: 'MiB/s',
      compares: 'copying and hashing in memory, timed in the engine / cp',
      goal: 0.55,
      measure: oneFile(gibibytes, cp),
    },
    {
      name: `copy: ${String(gibibytes)} GiB / rclone`,
      unit: 'MiB/s',
      compares: 'copying and hashing in memory, timed in the engine / rclone copy --checksum',
      goal: 2.8,
      measure: oneFile(gibibytes, rclone),
    },
    {
      name: `copy: ${String(gibibytes)} GiB / cp+sha256sum`,
      unit: 'MiB/s',
      compares: 'copying and hashing in memory, timed in the engine / cp and then sha256sum',
      goal: 3,
      measure: oneFile(gibibytes, cpAndSum),
    },
  ]),
  {
    name: 'copy: 64 x 16 MiB, cold, durable',
    unit: 'MiB/s',
    compares: 'a whole import from a cold disk, flushed / cp -r and sync -f',
    goal: 1,
    measure: sixtyFour('cold', cpAndSync),
  },
  {
    name: 'copy: 64 x 16 MiB, warm / rclone',
    unit: 'MiB/s',
    compares: 'copying and hashing, timed in the engine / rclone copy --checksum',
    goal: 3.5,
    measure: sixtyFour('warm', rclone),
  },
  {
    name: 'copy: 64 x 16 MiB, cloned',
    unit: 'MiB/s',
    compares: 'a whole import within one XFS, cloned, hashed and flushed / cp -r --reflink=never and sync -f',
    goal: 1,
    measure: cloned('xfs'),
  },
  {
    name: 'copy: 64 x 16 MiB, cloned on Btrfs',
    unit: 'MiB/s',
    compares: 'a whole import within one Btrfs, which checks its own checksums too / cp -r --reflink=never and sync -f',
    goal: 1,
    measure: cloned('btrfs'),
  },
  {
    name: 'copy: 100,000 x 8 KiB / cp',
    unit: 'files/s',
    compares: 'copying and hashing on a fresh ext4, timed in the engine / cp -r',
    goal: 1.1,
    measure: manySmall('copySeconds', cp),
  },
  {
    name: 'copy: 100,000 x 8 KiB / rclone',
    unit: 'files/s',
    compares: 'copying and hashing on a fresh ext4, timed in the engine / rclone copy --checksum',
    goal: 1.3,
    measure: manySmall('copySeconds', rclone),
  },
  {
    name: 'copy: a run of a sequencer / rclone',
    unit: 'MiB/s',
    compares: 'copying and hashing 200,000 small files and 4 of 2 GiB, timed in the engine / rclone copy --checksum',
    goal: 1.5,
    measure: sequencerRun,
  },
  {
    name: 'copy: 100,000 x 8 KiB, durable',
    unit: 'files/s',
    compares: 'a whole import on a fresh ext4, flushed / cp -r and sync -f',
    goal: 0.95,
    measure: manySmall('wholeSeconds', cpAndSync),
  },
  {
    name: 'copy: memory, 1,000,000 files',
    unit: 'MB',
    compares: 'peak memory of a built worker that imports and verifies 1,000,000 files / the allowed 512 MB',
    goal: 1,
    atMost: true,
    measure: (options) => memory(options, {}),
  },
  {
    name: 'copy: memory, 1,000,000 in one folder',
    unit: 'MB',
    compares: 'peak memory with all 1,000,000 files in one folder / the allowed 512 MB',
    goal: 1,
    atMost: true,
    measure: (options) => memory(options, { filesPerFolder: Number.POSITIVE_INFINITY }),
  },
  {
    name: 'copy: memory, 1,000,000 declared checksums',
    unit: 'MB',
    compares: 'peak memory with the SHA-256 of each file declared in a list / the allowed 512 MB',
    goal: 1,
    atMost: true,
    measure: (options) => memory(options, { declared: true }),
  },
];

export default benchmarks;
