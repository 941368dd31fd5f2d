import type { ImportRequest } from '../../../src/model/import-record.js';
import type { RequestLog } from '../../../src/model/request-log.js';
import { Sweeper } from '../../../src/import-runs/sweeper.js';
import type { ProvisionerSettings } from '../../../src/settings/provisioner.settings.js';
import type { Records } from '../../../src/model/records.js';
import type { Storage } from '../../../src/model/storage.js';
import { aRequest, anEnding } from '../../support/requests.js';
import { writeAFile } from '../../support/storage.contract.js';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Tests the contract of a sweep on a storage. */
export function itSweeps(
  open: () => { readonly storage: Storage; readonly log: RequestLog; readonly records: Records },
): void {
  const sweepAfter = (ms: number): Promise<readonly string[]> => {
    const { storage, log } = open();
    return new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings).sweep(Date.now() + ms);
  };

  const staged = async (id: string): Promise<string> => {
    await writeAFile(await open().storage.openAttempt({ kind: 'dataset', id }, `T-${id}`, 'sha256:1'));
    return `data/.staging/dataset/${id}`;
  };

  const request = (subjectId: string): ImportRequest =>
    aRequest(`01ARZ3NDEKTSV4RRFFQ69G5F${String(subjectId.length).padStart(2, '0')}`, subjectId);

  it('should remove the staged files of no import when they are unchanged for an hour', async () => {
    const name = await staged('NOBODYS');
    expect(await sweepAfter(hourMs / 2)).toEqual([]);
    expect(await sweepAfter(2 * hourMs)).toEqual([name]);
    expect(await sweepAfter(2 * hourMs)).toEqual([]);
    expect(await open().storage.findCommit({ kind: 'dataset', id: 'NOBODYS' })).toBeNull();
  });

  it('should keep the staged files of an open import, whatever their age', async () => {
    await staged('OPEN');
    await open().log.open(request('OPEN'));
    expect(await sweepAfter(365 * dayMs)).toEqual([]);
    await open().log.revoke(request('OPEN'));
  });

  it('should remove the status, cancellation and sharing records of ended imports', async () => {
    const { log } = open();
    const [ended, going] = [request('ENDED'), request('GOES-ON')];
    await log.open(going);
    // A process removes these records after the end of an import, unless the process is killed before.
    const words = (id: string): readonly string[] => [`status/${id}.json`, `cancel/${id}.1`, `shared/${id}.1`];
    for (const word of [ended, going].flatMap(({ id }) => words(id)))
      await open().records.write(`.requests/${word}`, '{}');
    expect(await sweepAfter(hourMs / 2)).toEqual([]);
    const removed = (await sweepAfter(2 * hourMs)).filter((name) => name.startsWith('data/.requests/'));
    expect(new Set(removed)).toEqual(new Set(words(ended.id).map((word) => `data/.requests/${word}`)));
    expect((await log.find(going.id))?.cancelling).toBe(true);
    await log.end(anEnding(going, 'cancelled'));
  });

  it('should keep the staged files of a failed import for STAGING_DAYS', async () => {
    const name = await staged('FAILED');
    await open().log.end(anEnding(request('FAILED'), 'failed'));
    expect(await sweepAfter(6 * dayMs)).not.toContain(name);
    expect(await sweepAfter(8 * dayMs)).toContain(name);
  });
}
