import { createHash } from 'node:crypto';
import { failpoint } from '../process/failpoint.js';
import type { Workspace } from '../model/workspace.js';
import type { Copier } from './copier.js';
import { counterIndex, type CopyOrder, type CopyOutcome } from './copy-messages.js';

/** A copier that reads each copied file back from the storage and compares its SHA-256. */
export class ReadBackCopier implements Copier {
  readonly capacity: number;

  constructor(
    private readonly inner: Copier,
    private readonly workspace: Workspace,
  ) {
    this.capacity = inner.capacity;
  }

  async copy(
    orders: readonly CopyOrder[],
    counters: BigInt64Array<SharedArrayBuffer>,
  ): Promise<readonly CopyOutcome[]> {
    const outcomes = await this.inner.copy(orders, counters);
    const checked: CopyOutcome[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const isStopped = Atomics.load(counters, counterIndex.aborted) !== 0n;
      const path = orders[index]?.path ?? '';
      checked.push(isStopped || !outcome.digests ? outcome : await this.check(path, outcome));
    }
    return checked;
  }

  private async check(path: string, outcome: CopyOutcome): Promise<CopyOutcome> {
    failpoint('before_read_back');
    const hash = createHash('sha256');
    for await (const bytes of this.workspace.read(path)) hash.update(bytes);
    if (hash.digest('hex') === outcome.digests?.['sha256']) return outcome;
    const message = `${path} differs from the source when it is read back from the storage; check the storage's hardware.`;
    return { failure: { side: 'storage', errno: 'EIO', message } };
  }
}
