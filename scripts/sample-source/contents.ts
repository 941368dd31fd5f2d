import { textFile, type SampleFile } from './delivery.ts';
import { Random } from './random.ts';

type Row = readonly (string | number)[];

/** Returns a table as comma-separated values. No value of the sample requires quotes. */
function csv(path: string, header: readonly string[], rows: readonly Row[]): SampleFile {
  return textFile(path, [header, ...rows].map((row) => `${row.join(',')}\n`).join(''));
}

/** Returns the ids `PC-001`, `PC-002`, ... */
export function participants(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(3, '0')}`);
}

/** Returns the participants: one row for each person. */
export function participantTable(
  path: string,
  people: readonly string[],
  groups: readonly [string, ...string[]],
): SampleFile {
  const random = new Random(path);
  const rows = people.map((id) => [id, random.pick(['female', 'male']), random.whole(41, 84), random.pick(groups)]);
  return csv(path, ['participant_id', 'sex', 'age', 'group'], rows);
}

/** Returns measurements at several visits: one row for each person and visit. */
export function visitTable(
  path: string,
  people: readonly string[],
  means: Readonly<Record<string, number>>,
): SampleFile {
  const random = new Random(path);
  const rows = people.flatMap((id) =>
    [1, 2, 3, 4].map((visit) => [
      id,
      visit,
      `20${String(22 + Math.floor(visit / 3))}-0${String(random.whole(1, 9))}-${String(random.whole(10, 28))}`,
      ...Object.values(means).map((mean) => random.measure(mean, mean / 6)),
    ]),
  );
  return csv(path, ['participant_id', 'visit', 'date', ...Object.keys(means)], rows);
}

/** Returns two sensor channels over one day: one row for each minute. */
export function sensorDay(path: string): SampleFile {
  const random = new Random(path);
  const rows = Array.from({ length: 1440 }, (_, minute) => [
    minute,
    random.measure(0, 40, 0),
    random.measure(72, 9, 0),
  ]);
  return csv(path, ['minute', 'acceleration_mg', 'heart_rate_bpm'], rows);
}

const bases = ['A', 'C', 'G', 'T'] as const;

/** Returns variant calls of one sample in the style of VCF 4.2. */
export function variants(path: string, sample: string, count: number): SampleFile {
  const random = new Random(path);
  const head = `##fileformat=VCFv4.2\n##reference=GRCh38\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${sample}\n`;
  let position = 10_000;
  const lines = Array.from({ length: count }, () => {
    position += random.whole(20, 5_000);
    const reference = random.whole(0, 3);
    const alternative = (reference + random.whole(1, 3)) % 4;
    const calls = [
      bases[reference],
      bases[alternative],
      random.measure(60, 12),
      random.pick(['PASS', 'PASS', 'LowQual']),
    ];
    return [
      'chr2',
      position,
      '.',
      ...calls,
      `DP=${String(random.whole(8, 120))}`,
      'GT',
      random.pick(['0/1', '1/1']),
    ].join('\t');
  });
  return textFile(path, `${head}${lines.join('\n')}\n`);
}

/** Returns sequencing reads of 100 bases in the style of FASTQ. */
export function reads(path: string, count: number): SampleFile {
  const random = new Random(path);
  const pool = Array.from({ length: 4096 }, () => bases[random.whole(0, 3)] ?? 'A').join('');
  const records = Array.from({ length: count }, (_, at) => {
    const start = random.whole(0, 3996);
    return `@RUN7:1:${String(at + 1)}\n${pool.slice(start, start + 100)}\n+\n${'F'.repeat(random.whole(60, 100)).padEnd(100, '#')}\n`;
  });
  return textFile(path, records.join(''));
}

/** Returns bytes that compress as poorly as real images and signals. */
export function noise(path: string, length: number): SampleFile {
  return { path, bytes: new Random(path).bytes(length) };
}
