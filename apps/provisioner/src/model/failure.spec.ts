import { readFile } from 'node:fs/promises';
import { SourceFailure } from './source-system.js';
import { StorageFailure } from './storage-failure.js';
import { dispositions, type FailureCode } from './failure-code.js';
import { codeOfErrno, failureOf, failureOfProblems } from './failure.js';
import type { FileFailure } from './failure-code.js';
import { ProblemList } from './problem-list.js';

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

  it.each<readonly [FailureCode, ...FailureCode[]]>([
    ['source.changed', 'source.denied', 'checksum.mismatch', 'source.changed', 'source.io'],
    ['source.io', 'source.denied', 'checksum.mismatch', 'source.io'],
    ['file.missing', 'source.denied', 'file.missing', 'checksum.mismatch'],
    ['source.denied', 'source.denied'],
  ])('should have the code %s when the problems are %s, %s', (code, ...codes) => {
    const problems = new ProblemList<FileFailure>();
    for (const [at, each] of codes.entries()) problems.add({ code: each, path: `file-${String(at)}`, message: each });
    expect(failureOfProblems(problems)).toMatchObject({ code, message: expect.stringMatching(`^${code}`) as string });
  });

  it('should count the problems of each code and state how many are listed', () => {
    const problems = new ProblemList<FileFailure>();
    problems.add({ code: 'file.missing', path: 'a', message: 'a is missing.' });
    expect(failureOfProblems(problems).message).toBe('a is missing.');
    problems.countOnly('checksum.mismatch', 20_000);
    expect(failureOfProblems(problems)).toMatchObject({
      counts: { 'file.missing': 1, 'checksum.mismatch': 20_000 },
      message:
        'a is missing. Problems in total: 1 file.missing, 20000 checksum.mismatch. The files of the import list 1 of them.',
    });
  });
});
