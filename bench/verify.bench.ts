import { join } from 'node:path';
import { pairwise, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { secondsOf } from './command.ts';
import { Engine, layDataset, urlOf } from './copy-stage.ts';
import { inMemory } from './ground.ts';

const mebibyte = 1024 * 1024;

/** Measures a verification and `sha256sum -c` with the published list alternately, in files or MiB per second. */
async function compare({ quick }: BenchmarkOptions, files: number, size: number): Promise<Measured> {
  const [source, target] = [await inMemory(), await inMemory()];
  const engine = new Engine({
    SOURCE_URL: urlOf(source.folder),
    STORAGE_URL: urlOf(target.folder),
    SOURCE_SETTLE: '0',
  });
  try {
    await layDataset(source.folder, 'DS-1', files, size);
    await engine.import('DS-1');
    const work = size >= mebibyte ? (files * size) / mebibyte : files;
    const ours = async (): Promise<number> => work / (await engine.verify('DS-1'));
    const check = 'cd "$0" && sha256sum --quiet --strict -c .import/manifest-sha256.txt';
    const theirs = async (): Promise<number> =>
      work / (await secondsOf('sh', '-c', check, join(target.folder, 'data/raw/DS-1')));
    await ours();
    const measured = await pairwise(quick ? 3 : 5, ours, theirs);
    process.stderr.write(`peak ${String(Math.round(await engine.peakMb()))} MB\n`);
    return measured;
  } finally {
    await engine.close();
    await source.remove();
    await target.remove();
  }
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'verify: 1 GiB / sha256sum',
    unit: 'MiB/s',
    compares: 'reading one file again, in memory / sha256sum -c of the published list',
    // One thread hashes one file. OpenSSL uses the processor's SHA instructions, coreutils does not.
    goal: 2.5,
    measure: (options) => compare(options, 1, (1024 * mebibyte) / (options.quick ? 4 : 1)),
  },
  {
    name: 'verify: 100,000 x 8 KiB / sha256sum',
    unit: 'files/s',
    compares: 'reading files again and checking for unknown files, in memory / sha256sum -c of the published list',
    // A file costs about as much processor time as in coreutils, mostly in system calls, but on two processors.
    goal: 1.5,
    measure: (options) => compare(options, options.quick ? 20_000 : 100_000, 8192),
  },
];

export default benchmarks;
