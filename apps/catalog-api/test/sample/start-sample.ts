import { createReadStream } from 'node:fs';
import { importBackup } from '../../src/app/backup/backup-import.js';
import { Accessions } from '../../src/publishing/writing/accessions.js';
import { AccessionsSettings } from '../../src/publishing/writing/accessions.settings.js';
import { globalKey, startCatalog, type RunningCatalog } from '../catalog.js';

const sample = new URL('../../../../sample/catalog.ndjson', import.meta.url);

/** Settings with the facts of a centre that HealthDCAT-AP requires. */
export const centre = {
  HOME_ORGANISATION: 'Example Centre',
  DATA_CONTACT_EMAIL: 'data@example.org',
  ACCESS_BODY: 'National Access Body',
  ACCESS_BODY_EMAIL: 'access@example.org',
};

/** Starts a catalog with the sample, in which datasets of every access level are public. */
export async function startSample(settings: Readonly<Record<string, string>>): Promise<RunningCatalog> {
  const catalog = await startCatalog(settings);
  await importBackup(catalog.dataSource, createReadStream(sample), {
    accessions: new Accessions(new AccessionsSettings()),
    documents: catalog.documents,
  });
  // RDC_20 is open, and RDC_22 states no category of access.
  for (const id of ['RDC_20', 'RDC_22']) {
    const body = JSON.stringify({ endpoint: 'Research Data Portal', form_id: 8 });
    const answer = await catalog.fetch(`/api/datasets/${id}/exposures`, { method: 'POST', body, key: globalKey });
    expect([id, answer.status]).toEqual([id, 201]);
  }
  return catalog;
}
