import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/support/until.ts';
import { stopLeftovers } from './leftovers.ts';
import { spawnNode } from './node-process.ts';
import { PidFile } from './pid-file.ts';
import { identityOf } from './process-identity.ts';
import { SupervisedProcess } from './supervised-process.ts';

let folder: string;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supervised-'));
  said = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe(SupervisedProcess.name, () => {
  it('should restart a process when it is killed, and remove its files when it is stopped', async () => {
    const supervised = await standIn(runsUntilTold);
    await supervised.start();
    const first = pidInFile();
    process.kill(first, 'SIGKILL');
    await until(() => existsSync(pidFile()) && pidInFile() !== first && identityOf(pidInFile()) !== undefined);
    const second = pidInFile();
    await until(() => said.length > 1);
    expect(said).toEqual([
      'stand-in ended (SIGKILL) and is restarted.',
      expect.stringMatching(/^stand-in is ready again after \d+ s\.$/),
    ]);

    await supervised.stop();
    expect(identityOf(second)).toBeUndefined();
    expect(existsSync(pidFile())).toBe(false);
    await supervised.stop();
  });

  it('should report the last lines of output when a process ends before it is ready', async () => {
    const supervised = await standIn('console.error("PORT must be a number"); process.exit(1);');
    await expect(supervised.start()).rejects.toThrow('stand-in ended before it was ready:\nPORT must be a number');
    await supervised.stop();
  });

  it('should report one line when a process ends repeatedly and its files cannot be written', async () => {
    const supervised = await standIn(runsUntilTold);
    await supervised.start();
    await rm(join(folder, 'ready'));
    const ends = join(folder, 'ends');
    await writeFile(join(folder, 'stand-in.mjs'), `import("node:fs").then((fs) => fs.appendFileSync("${ends}", "x"));`);
    const first = pidInFile();
    await rm(pidFile());
    await mkdir(pidFile());
    process.kill(first, 'SIGKILL');
    await until(() => existsSync(ends) && readFileSync(ends, 'utf8').length >= 3);
    expect(said).toEqual(['stand-in ended (SIGKILL) and is restarted.']);
    await rm(pidFile(), { recursive: true });
    await writeFile(join(folder, 'stand-in.mjs'), runsUntilTold);
    await until(() => said.length > 1);
    expect(said[1]).toMatch(/^stand-in is ready again after/);
    await supervised.stop();
  });

  it('should stop a process when it is not ready yet', async () => {
    const supervised = await standIn('setInterval(() => {}, 1000)');
    const starting = supervised.start();
    await until(() => existsSync(pidFile()));
    const pid = pidInFile();
    await Promise.all([expect(starting).rejects.toThrow(), supervised.stop()]);
    expect(identityOf(pid)).toBeUndefined();
  });
});

describe(stopLeftovers.name, () => {
  it('should stop a process that a killed launcher left running', async () => {
    const script = join(folder, 'left.mjs');
    await writeFile(script, runsUntilTold);
    const left = spawnNode({ script, environment: process.env, workingFolder: folder }, join(folder, 'log'));
    if (left.pid === undefined) throw new Error('not started');
    new PidFile(folder, 'worker').write(left.pid);
    await stopLeftovers(folder, [{ name: 'worker', stopSignal: 'SIGTERM' }], (line) => said.push(line));
    expect(identityOf(left.pid)).toBeUndefined();
    expect(said).toEqual(['Stopped the process worker, which an earlier start left running.']);
  });

  it('should not stop another process that has the same id', async () => {
    new PidFile(folder, 'worker').write(process.pid);
    await writeFile(join(folder, 'worker.started'), 'earlier');
    await stopLeftovers(folder, [{ name: 'worker', stopSignal: 'SIGKILL' }], (line) => said.push(line));
    expect(said).toEqual([]);
    expect(existsSync(join(folder, 'worker.pid'))).toBe(false);
  });
});

/** A program that creates a file when it is ready. */
const runsUntilTold = 'import("node:fs").then((fs) => fs.writeFileSync("ready", "")); setInterval(() => {}, 1000);';

async function standIn(code: string): Promise<SupervisedProcess> {
  const script = join(folder, 'stand-in.mjs');
  await writeFile(script, code);
  return new SupervisedProcess(
    {
      name: 'stand-in',
      spawn: (logFile) => spawnNode({ script, environment: process.env, workingFolder: folder }, logFile),
      isReady: () => Promise.resolve(existsSync(join(folder, 'ready'))),
      stopSignal: 'SIGTERM',
    },
    { runFolder: folder, logFile: join(folder, 'log'), say: (line) => said.push(line) },
  );
}

const pidFile = (): string => join(folder, 'stand-in.pid');
const pidInFile = (): number => Number(readFileSync(pidFile(), 'utf8'));
