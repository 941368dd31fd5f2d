import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Attack, Finding, Target } from './attack/attack.ts';

const usage = `npm run attack [-- [--url http://127.0.0.1:8080] [--data .data] [--only NAME]]

Attacks a system of your own that runs now and prints what it answered. Run it against test systems only.`;

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    data: { type: 'string', default: '.data' },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

let failures = 0;
let omissions = 0;
for (const attack of await chosenAttacks(values.only)) {
  process.stdout.write(`\n${attack.name}\n`);
  for await (const finding of attack.run(await targetOf(values.url, resolve(values.data)))) {
    process.stdout.write(`${lineOf(finding)}\n`);
    if (finding.withstood === false) failures += 1;
    if (finding.withstood === 'not run') omissions += 1;
  }
}
process.stdout.write(`\n${summaryOf(failures, omissions)}\n`);
process.exitCode = failures === 0 ? 0 : 1;

/** Returns the attacks of the folder `attack/`: each file `*.attack.ts` exports one as its default. */
async function chosenAttacks(names: readonly string[] | undefined): Promise<Attack[]> {
  const folder = new URL('./attack/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.attack.ts')).sort();
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<{ default: Attack }>),
  );
  const attacks = modules.map((module) => module.default);
  const unknown = names?.find((name) => !attacks.some((attack) => attack.name === name));
  if (unknown !== undefined)
    throw new Error(`--only must be one of ${attacks.map(({ name }) => name).join(', ')}; it is "${unknown}".`);
  return names ? attacks.filter(({ name }) => names.includes(name)) : attacks;
}

/** Reads the global key from the data folder of `npm start`, or from `GLOBAL_API_KEY` if there is no such folder. */
async function targetOf(url: string, dataFolder: string): Promise<Target> {
  const origin = url.replace(/\/+$/, '');
  const set = process.env['GLOBAL_API_KEY'];
  const kept = await readFile(join(dataFolder, 'keys.json'), 'utf8').catch(() => undefined);
  if (kept === undefined) {
    if (!set)
      throw new Error(`${dataFolder} contains no keys.json: name the data folder with --data, or set GLOBAL_API_KEY.`);
    return { origin, globalKey: set, dataFolder: undefined };
  }
  return { origin, globalKey: set ?? (JSON.parse(kept) as { global: string }).global, dataFolder };
}

function summaryOf(harmful: number, notRun: number): string {
  const result =
    harmful === 0 ? 'The system withstood every attack that was run.' : `Attacks that did harm: ${String(harmful)}.`;
  return notRun === 0
    ? result
    : `${result} Not run: ${String(notRun)}; the lines that begin with "--" state the reason.`;
}

/** Returns a line of the table. The stop of other callers is followed by its bound, including the allowance for noise. */
function lineOf({ attack, route, answer, stopMs, maxStopMs, withstood }: Finding): string {
  const stop =
    stopMs === undefined ? '' : `${stopMs.toFixed(0)} ms${maxStopMs === undefined ? '' : ` of ${String(maxStopMs)}`}`;
  const verdict = withstood === 'not run' ? '--  ' : withstood ? 'ok  ' : 'HARM';
  return [verdict, route.padEnd(40), attack.padEnd(34), stop.padStart(16), answer].join('  ');
}
