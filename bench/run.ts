import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import { lineOf, rowOf } from './report.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});

const folder = new URL('./', import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith('.bench.ts')).sort();
const modules = await Promise.all(
  files.map((file) => import(new URL(file, folder).href) as Promise<{ default: readonly Benchmark[] }>),
);
const known = modules.flatMap((module) => module.default);
const wanted = values.only ? known.filter(({ name }) => values.only?.some((part) => name.includes(part))) : known;
if (wanted.length === 0) {
  process.stderr.write(
    `No benchmark of that name. There are: ${known.map(({ name }) => name).join(', ') || 'none'}.\n`,
  );
  process.exit(2);
}

let missed = 0;
for (const benchmark of wanted) {
  const row = rowOf(benchmark, await benchmark.measure({ quick: values.quick }));
  process.stdout.write(`${values.json ? JSON.stringify(row) : lineOf(row)}\n`);
  if (row.verdict === 'MISSED') missed += 1;
}
process.exitCode = missed > 0 ? 1 : 0;
