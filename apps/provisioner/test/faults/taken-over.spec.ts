import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { removeTree } from '../../src/storage/posix/remove-tree.js';
import { buildServices } from '../../../../test/support/service-process.ts';
import { aDraft, aFile, writeAFile } from '../support/storage.contract.js';
import { until } from '../../../../test/support/until.ts';
import { storedFiles } from '../support/stored-files.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;
const built = (module: string): string => new URL(`../../dist/${module}.js`, import.meta.url).href;

/** A program that publishes an attempt with one file, stops itself at a failpoint, and prints the result. */
const script = (root: string, failpoint: string): string => `
  import { writeSync } from 'node:fs';
  const { armFailpoint } = await import('${built('process/failpoint')}');
  const { PosixStorage } = await import('${built('storage/posix/posix-storage')}');
  const { openNewFile } = await import('${built('copy/new-file')}');
  const attempt = await new PosixStorage('${root}').openAttempt(${JSON.stringify(subject)}, 'EARLIER', 'sha256:1');
  writeSync(openNewFile(attempt.target.folder, 'a/b'), '1');
  await attempt.list([${JSON.stringify(aFile)}]);
  armFailpoint({ FAILPOINT: '${failpoint}:1:SIGSTOP' });
  const end = await attempt.publish(${JSON.stringify(aDraft('IMPORT-EARLIER'))}).then(() => 'published', ({ name }) => name);
  process.stdout.write(end);`;

describe('an attempt that is paused during its publication until another attempt has taken over', () => {
  let root: string;

  beforeAll(() => buildServices());

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'taken-over-'));
  });

  afterEach(() => removeTree(root));

  it.each(['before_sync', 'after_sync', 'after_commit_json', 'before_rename'])(
    'should publish nothing and leave nothing when it was paused at %s',
    async (failpoint) => {
      const paused = spawn(process.execPath, ['--input-type=module', '-e', script(root, failpoint)]);
      const result = text(paused.stdout);
      await until(async () => /^State:\s+T/m.test(await readFile(`/proc/${String(paused.pid)}/status`, 'utf8')));
      const storage = new PosixStorage(root);
      const later = await storage.openAttempt(subject, 'LATER', 'sha256:1');
      paused.kill('SIGCONT');
      await once(paused, 'exit');
      await expect(result).resolves.toBe('SupersededError');
      expect(await storage.findCommit(subject)).toBeNull();
      expect(await readdir(join(root, 'data/.staging/dataset/DS-1'))).toEqual(['LATER']);
      await writeAFile(later);
      await later.list([aFile]);
      await later.publish(aDraft());
      expect(await storedFiles(storage, subject)).toEqual(['a/b']);
    },
  );
});
