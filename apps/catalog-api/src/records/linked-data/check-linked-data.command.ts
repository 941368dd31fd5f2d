import { Command, type CommandUnknownOpts } from '@rdc/cli';
import type { DataSource } from 'typeorm';
import type { OpenContext } from '../../platform/command-line/command.js';
import { CentreSettings } from './centre.settings.js';
import { requiredFacts } from './readiness.js';

/** `check linked-data`: prints the public datasets that lack facts for the national catalogue, separated by tabs. */
export function checkLinkedDataCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('linked-data')
    .description('list the public datasets that lack facts which HealthDCAT-AP requires')
    .action(async () => {
      const { settings, print, withDataSource } = open();
      const centre = settings.get(CentreSettings);
      const [ready, all] = await withDataSource(async (dataSource) => {
        let counts: [ready: number, all: number] = [0, 0];
        for await (const { name, linked } of publicDatasets(dataSource)) {
          const facts = requiredFacts(JSON.parse(`{${linked}}`) as Readonly<Record<string, unknown>>, centre);
          const missing = facts.filter(({ isStated }) => !isStated);
          counts = [counts[0] + (missing.length === 0 ? 1 : 0), counts[1] + 1];
          if (missing.length === 0) continue;
          const places = missing.map((fact) => `${fact.name} (${fact.place})`).join(', ');
          print(`${name}\t${String(facts.length - missing.length)} of ${String(facts.length)}\tmissing: ${places}`);
        }
        return counts;
      });
      print(`${String(ready)} of ${String(all)} public datasets have all facts of HealthDCAT-AP.`);
    });
}

const batchSize = 1000;

interface PublicDataset {
  readonly id: number;
  readonly name: string;
  readonly linked: string;
}

/** Reads the datasets that are exposed to a public endpoint, in batches, by id. */
async function* publicDatasets(dataSource: DataSource): AsyncGenerator<PublicDataset> {
  let batch: PublicDataset[] = [];
  let after = -1;
  do {
    batch = await dataSource.query<PublicDataset[]>(
      `SELECT document.id, coalesce(dataset.external_id, dataset.id::text) AS name, document.linked
       FROM dataset_documents AS document JOIN datasets AS dataset ON dataset.id = document.id
       WHERE document.id > $1 AND document.linked <> '' AND EXISTS (
         SELECT FROM exposures AS exposure JOIN endpoints AS endpoint ON endpoint.id = exposure.endpoint_id
         WHERE exposure.dataset_id = document.id AND exposure.deprecated_at IS NULL AND endpoint.public)
       ORDER BY document.id LIMIT ${String(batchSize)}`,
      [after],
    );
    yield* batch;
    after = batch.at(-1)?.id ?? after;
  } while (batch.length === batchSize);
}
