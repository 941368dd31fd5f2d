import { Command, Option, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import type { Principal } from '@rdc/auth';
import type { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql } from '../../platform/database/sql.js';
import type { CommandContext, OpenContext } from '../../platform/command-line/command.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { Centre } from './centre.js';
import { CentreSettings } from './centre.settings.js';
import { IriBase } from './iri-base.js';
import { LinkedData } from './linked-data.js';
import { publishedDatasets } from './published-datasets.js';

/** The error of published datasets that violate shapes or lack required facts. */
export class InvalidLinkedDataError extends Error {
  override readonly name = InvalidLinkedDataError.name;
}

const accessLevels = ['PUBLIC', 'RESTRICTED', 'NON_PUBLIC'] as const;

/** The options of the command. */
interface CheckOptions {
  readonly shapes?: readonly string[] | undefined;
  readonly endpoint?: string | undefined;
  readonly all?: true | undefined;
  readonly access?: (typeof accessLevels)[number] | undefined;
}

/** `check linked-data`: validates the published datasets, as a reader receives them, with SHACL shapes. */
export function checkLinkedDataCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('linked-data')
    .description(
      'validate the published datasets with SHACL shapes. Prints one line a violation, separated by tabs: the dataset, ' +
        'the property, the message, and the field or setting that states the fact. The exit code is 1 if a dataset is invalid.',
    )
    .option(
      '--shapes <paths...>',
      'files with shapes in Turtle or N-Triples, or folders with such files (default: the shapes of the catalog for ' +
        'DCAT-AP and HealthDCAT-AP, and the facts that HealthDCAT-AP requires)',
    )
    .option('--endpoint <name>', 'check what the key of this endpoint reads, instead of what is public')
    .addOption(new Option('--all', 'check all exposed datasets, as the global key reads them').conflicts('endpoint'))
    .addOption(new Option('--access <level>', 'check only datasets with these access rights').choices(accessLevels))
    .action(async (options) => {
      const context = open();
      const [valid, count] = await check(context, options);
      context.print(`${String(valid)} of ${String(count)} datasets are valid.`);
      if (valid === count) return;
      throw new InvalidLinkedDataError(
        'Some datasets are invalid. State the facts in the fields and settings that the lines name.',
      );
    });
}

/** Prints the violations, and returns the numbers of valid and of checked datasets. */
async function check({ settings, print, withDataSource }: CommandContext, options: CheckOptions): Promise<number[]> {
  // The validator is loaded by this command only.
  const [{ LinkedDataCheck }, { ownShapes, readShapes }] = await Promise.all([
    import('./linked-data-check.js'),
    import('./shapes.js'),
  ]);
  const shapes = await readShapes(options.shapes ?? Object.values(ownShapes));
  const documents = settings.get(DocumentsSettings);
  const centre = settings.get(CentreSettings);
  const base = new IriBase(documents, settings.get(HttpSettings)).of('http://localhost');
  const checker = new LinkedDataCheck({ shapes, base, centre, requiresFacts: options.shapes === undefined });
  const linkedData = new LinkedData(new Centre(centre, documents), new Visibility(documents));
  return withDataSource(async (dataSource) => {
    const caller = await callerOf(dataSource, options);
    let [valid, count] = [0, 0];
    for await (const dataset of publishedDatasets(dataSource, linkedData, caller, base)) {
      if (options.access !== undefined && accessOf(dataset) !== options.access) continue;
      const lines = await checker.linesOf(dataset);
      for (const line of lines) print(line);
      if (lines.length === 0) valid += 1;
      count += 1;
    }
    return [valid, count];
  });
}

/** Returns the code of a dataset's access rights. */
function accessOf(dataset: Readonly<Record<string, unknown>>): string {
  const { '@id': iri = '' } = (dataset['dct:accessRights'] ?? {}) as { '@id'?: string };
  return iri.replace('access:', '');
}

/** Returns the reader whose linked data is checked. @throws UsageError if no endpoint has the name */
async function callerOf(dataSource: DataSource, { endpoint, all }: CheckOptions): Promise<Principal> {
  if (endpoint === undefined) return { kind: all ? 'global' : 'anonymous' };
  const statement = sql`SELECT id::text FROM endpoints WHERE name = ${endpoint}`;
  const [row] = await runPrepared<{ id: string }>(poolOf(dataSource), statement);
  if (!row) throw new UsageError(`--endpoint: no endpoint has the name "${endpoint}".`);
  return { kind: 'endpoint', endpointId: row.id };
}
