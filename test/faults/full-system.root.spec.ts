import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/free-port.ts';
import { testSettings } from '../support/test-logs.ts';
import { buildServices } from '../support/service-process.ts';
import { SmallDisk } from '../support/small-disk.ts';

const startMs = 300_000;
const run = promisify(execFile);

describe('npm start on a small disk', () => {
  let disk: SmallDisk;
  let port: number;
  let launcher: ChildProcess;
  let printed = '';

  beforeAll(async () => {
    await buildServices();
    disk = await SmallDisk.make(600);
    port = await freePort();
    await mkdir(join(disk.root, 'data'));
    const { PATH, HOME } = process.env;
    launcher = spawn(process.execPath, ['scripts/start.ts'], {
      env: { PATH, HOME, ...testSettings({ PORT: String(port), DATA_DIR: join(disk.root, 'data') }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      const read = (text: Buffer): void => {
        printed += text.toString();
        if (printed.includes('Ready: ')) resolve();
      };
      launcher.stdout?.on('data', read);
      launcher.stderr?.on('data', read);
      launcher.once('exit', () => {
        reject(new Error(printed));
      });
    });
  }, startMs);

  afterAll(async () => {
    if (launcher.exitCode === null) {
      const exited = once(launcher, 'exit');
      launcher.kill('SIGINT');
      await exited;
    }
    await disk.remove();
  }, startMs);

  it(
    'should answer reads, refuse writes and recover when its disk is full',
    async () => {
      const words = [
        'scripts/attack.ts',
        '--url',
        `http://127.0.0.1:${String(port)}`,
        '--data',
        join(disk.root, 'data'),
      ];
      const attacked = await run(process.execPath, [...words, '--only', 'full-disk']).catch((error: unknown) => error);
      const { stdout, stderr } = attacked as { stdout: string; stderr: string };
      expect(stderr).toBe('');
      expect(stdout).toContain('The system withstood every attack that was run.');
      expect(stdout).toMatch(/write on a full disk.*503 dependency\.down/);
      expect(launcher.exitCode).toBeNull();
      expect(printed).not.toContain('catalog-api ended');
      expect(printed).not.toContain('provisioner ended');
    },
    startMs,
  );
});
