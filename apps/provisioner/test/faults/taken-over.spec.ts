import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { removeTree } from '../../src/storage/posix/remove-tree.js';
import { buildProcesses } from '../support/service-process.js';
import { aDraft, aFile, writeAFile } from '../support/storage.contract.js';
import { until } from '../support/system.js';
import { storedFiles } from '../support/stored-files.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;
const built = (module: string): string => new URL(`../../dist/${module}.js`, import.meta.url).href;

/** Publishes an attempt in which there is one file, in a process that halts itself at a failpoint, and says how that ended. */
const script = (root: string, failpoint: string): string => `
  import { writeSync } from 'node:fs';
  const { armFailpoint } = await import('${built('failpoint')}');
  const { PosixStorage } = await import('${built('storage/posix/posix-storage')}');
  const { openNewFile } = await import('${built('copy/new-file')}');
  const attempt = await new PosixStorage('${root}').openAttempt(${JSON.stringify(subject)}, 'EARLIER', 'sha256:1');
  writeSync(openNewFile(attempt.target.folder, 'a/b'), '1');
  await attempt.list([${JSON.stringify(aFile)}]);
  armFailpoint({ FAILPOINT: '${failpoint}:1:SIGSTOP' });
  const end = await attempt.publish(${JSON.stringify(aDraft('IMPORT-EARLIER'))}).then(() => 'published', ({ name }) => name);
  process.stdout.write(end);`;

describe('an attempt that sleeps while it publishes, until another has taken over and not published yet', () => {
  let root: string;

  beforeAll(() => buildProcesses());

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'taken-over-'));
  });

  afterEach(() => removeTree(root));

  it.each(['before_sync', 'after_sync', 'after_commit_json', 'before_rename'])(
    'at %s should publish nothing, and leave nothing',
    async (failpoint) => {
      const sleeper = spawn(process.execPath, ['--input-type=module', '-e', script(root, failpoint)]);
      const said = text(sleeper.stdout);
      await until(async () => /^State:\s+T/m.test(await readFile(`/proc/${String(sleeper.pid)}/status`, 'utf8')));
      const storage = new PosixStorage(root);
      const later = await storage.openAttempt(subject, 'LATER', 'sha256:1');
      sleeper.kill('SIGCONT');
      await once(sleeper, 'exit');
      await expect(said).resolves.toBe('SupersededError');
      expect(await storage.findCommit(subject)).toBeNull();
      expect(await readdir(join(root, 'data/.staging/dataset/DS-1'))).toEqual(['LATER']);
      await writeAFile(later);
      await later.list([aFile]);
      await later.publish(aDraft());
      expect(await storedFiles(storage, subject)).toEqual(['a/b']);
    },
  );
});
