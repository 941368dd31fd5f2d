import { readFile } from 'node:fs/promises';
import { SourceFailure } from './source-system.js';
import { StorageFailure } from './storage-failure.js';
import { codeOfErrno, dispositions, failureOf } from './failure.js';

describe('failures of an import', () => {
  it('should be described in docs/errors.md with their dispositions', async () => {
    const page = await readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('## Reasons of an unfinished import'));
    const rows = [...section.matchAll(/^\| `([a-z0-9._]+)` +\| (\w+)/gm)].map(([, code, word]) => [code, word]);
    const words = { reject: 'rejected', retry: 'retried', wait: 'waits', fail: 'failed' };
    const expected = Object.entries(dispositions).map(([code, disposition]) => [
      code,
      code === 'checksum.not_compared' ? 'warning' : words[disposition],
    ]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
  });

  it.each([
    ['ENOSPC', 'storage', 'storage.no_space'],
    ['EDQUOT', 'storage', 'storage.no_space'],
    ['EROFS', 'storage', 'storage.denied'],
    ['EIO', 'storage', 'storage.io'],
    ['EIO', 'source', 'source.io'],
    ['EACCES', 'source', 'source.denied'],
    ['ENOENT', 'source', 'source.changed'],
    ['ELOOP', 'source', 'source.changed'],
  ] as const)('should map %s of the %s to %s', (errno, side, code) => {
    expect(codeOfErrno(errno, side)).toBe(code);
  });

  it('should hide the message of an unexpected error and keep the cause', () => {
    const cause = new TypeError('secret');
    expect(failureOf(cause)).toMatchObject({ code: 'internal', cause });
    expect(failureOf(cause).message).not.toContain('secret');
    expect(failureOf(new StorageFailure('x', 'ENOSPC')).disposition).toBe('wait');
    expect(failureOf(new SourceFailure('x', 'EIO')).disposition).toBe('retry');
  });
});
