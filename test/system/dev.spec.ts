import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../apps/provisioner/src/storage/posix/remove-tree.ts';
import { freePort } from '../../scripts/free-port.ts';
import { testSettings } from '../support/test-logs.ts';

const startTimeoutMs = 180_000;

/** `npm run dev` and everything that it has printed. */
class Development {
  /** The exit code, or null if a signal ended the program. */
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private printed = '';

  constructor(part: string, environment: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, ['scripts/dev.ts', part], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...testSettings(environment) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = once(this.child, 'exit').then(([code]: (number | null)[]) => code ?? null);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.printed += text.toString();
        this.child.emit('printed');
      });
    }
  }

  /** Waits until the output contains a text. @throws Error with the output if the program ends first */
  async untilPrinted(text: string): Promise<void> {
    while (!this.printed.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`npm run dev ended:\n${this.printed}`);
      await Promise.race([once(this.child, 'printed'), this.ended]);
    }
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

describe('npm run dev', () => {
  let folder: string;
  let development: Development | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-catalog-dev-'));
  });

  afterEach(async () => {
    await development?.stop();
    await removeTree(folder);
  }, startTimeoutMs);

  it(
    'should import with a worker that runs from its sources, and restart the worker when a library changes',
    async () => {
      const port = await freePort();
      development = new Development('worker', { PORT: String(port), DATA_DIR: folder });
      await development.untilPrinted('worker runs from its sources');
      const { global } = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as { global: string };
      const response = await fetch(`http://127.0.0.1:${String(port)}/imports`, { headers: { 'X-API-Key': global } });
      const { items } = (await response.json()) as { items: { state: string }[] };
      expect(items.map(({ state }) => state)).toEqual(['finished']);

      await utimes('libs/errors/src/index.ts', new Date(), new Date());
      await development.untilPrinted('Restarting');
      expect(await development.stop()).toBe(0);
    },
    startTimeoutMs,
  );

  it('should name the parts when the word is not a part', async () => {
    development = new Development('catalogue', { DATA_DIR: folder });
    await development.untilPrinted(
      'npm run dev needs the name of one part: npm run dev -- catalog-api | provisioner | worker | console',
    );
    expect(await development.ended).toBe(1);
  });
});
