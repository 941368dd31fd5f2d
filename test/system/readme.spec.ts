import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../apps/provisioner/src/storage/posix/remove-tree.ts';
import { freePort } from '../../scripts/free-port.ts';
import { documentedCalls, patternOf, runInShell } from '../support/console-blocks.ts';
import { testSettings } from '../support/test-logs.ts';

const timeoutMs = 300_000;

describe('README.md', () => {
  it(
    'should show the answer of every call',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'data-catalog-readme-'));
      const port = String(await freePort());
      const settings = testSettings({ PORT: port, DATA_DIR: join(folder, '.data') });
      const system = spawn(process.execPath, [join(process.cwd(), 'scripts/start.ts')], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      system.stderr.pipe(process.stderr);
      const ended = once(system, 'exit');
      try {
        let printed = '';
        system.stdout.on('data', (text: Buffer) => {
          printed += text.toString();
        });
        while (!printed.includes('continues with the same data.')) {
          if (system.exitCode !== null) throw new Error(`npm start ended:\n${printed}`);
          await Promise.race([once(system.stdout, 'data'), ended]);
        }
        const calls = documentedCalls((await readFile('README.md', 'utf8')).replaceAll('8080', port));
        const [start, ...others] = calls;
        expect(start?.command).toBe('npm start');
        expect(printed.replace(/^Building .*\n/, '').trim()).toMatch(patternOf(start?.output ?? ''));
        const outputs = runInShell(
          others.map(({ command }) => command),
          folder,
        );
        for (const [index, { command, output }] of others.entries()) {
          expect({ command, output: outputs[index] }).toEqual({
            command,
            output: expect.stringMatching(patternOf(output)) as string,
          });
        }
      } finally {
        system.kill('SIGINT');
        await ended;
        await removeTree(folder);
      }
    },
    timeoutMs,
  );
});
