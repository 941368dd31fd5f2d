import type { Commit } from './commit.js';
import { resultOf } from './import-record.js';

describe(resultOf.name, () => {
  it('should have no integrity when an earlier release wrote the commit', () => {
    const content = { files: 1, folders: 0, bytes: 5, list_sha256: '', manifest_sha256: 'f00d' };
    const commit = { schema: 'provisioner-commit/1', id: 'DS-1', content } as Commit;
    expect(resultOf(commit, 'data/raw/DS-1/').integrity).toBeNull();
  });
});
