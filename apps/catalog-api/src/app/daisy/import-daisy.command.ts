import { Command, InvalidArgumentError, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import type { DataSource } from 'typeorm';
import { summaryOf } from '../bulk/import-records.commands.js';
import { itemTexts } from '../bulk/item-stream.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import { allRights } from '../../publishing/writing/writer-rights.js';
import { OfflineWriter } from '../bulk/offline-writer.js';
import { findKind } from '../bulk/record-kinds.js';
import type { CommandContext, OpenContext } from '../../platform/command-line/command.js';
import { readText } from '../../platform/command-line/input-file.js';
import { InvalidItemsError } from '../../publishing/writing/write-problems.js';
import { DaisyMapping, type Document } from './daisy-mapping.js';
import { DaisyApi, DaisyFolder, daisyLists, urlOf, type DaisyList, type DaisySource } from './daisy-source.js';
import { migrateDaisy, type MigrateOptions } from './database/migrate-daisy.js';
import { MappingReport } from './mapping-report.js';
import { rawOf, textOf } from './raw-values.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';

/** `import daisy`: imports a running DAISY or its files. A second run on the same data changes nothing. */
export function importDaisyCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('daisy')
    .description('import a running DAISY through its API, or a folder of its JSON files')
    .argument('[folder]', 'folder of the JSON files')
    .option('--url <url>', 'URL of the running DAISY', urlOf)
    .option('--key-file <file>', 'file that contains the global key of the DAISY; /dev/stdin for standard input')
    .option('--key <key>', 'global key of the DAISY; visible in the list of processes')
    .option('--publish-partners', 'publish all partners of a folder, because files do not contain the publication')
    .option('--database <url>', 'URL of the database of the DAISY (postgres://), for a complete migration')
    .option('--report <file>', 'with --database: file for the report')
    .option(
      '--public-platforms <names>',
      'with --database: platforms that endpoints see: all, none, or names with commas',
    )
    .option('--keys <file>', 'with --database: file with the keys of endpoints, one a line, which stay valid')
    .option('--new-keys <file>', 'with --database: new file for keys that were issued in the place of longer keys')
    .option('--keys-until <date>', 'with --database: end of the time in which other keys are converted', dateOf)
    .option('--skip <records...>', 'with --database: records to leave out, such as dataset/ELU_I_5 or contact/7')
    .option('--time-zone <name>', 'with --database: time zone in which accesses start and end', 'Europe/Luxembourg')
    .option('--dry-run', 'print the result and write nothing')
    .action(async (folder, { dryRun = false, database, publishPartners = false, ...options }) => {
      const context = open();
      if (database !== undefined) {
        if (folder !== undefined || options.url !== undefined) {
          throw new UsageError('--database cannot be combined with a folder or --url.');
        }
        await migrateDaisy({ ...migrateOptionsOf(database, options), dryRun }, context);
        return;
      }
      refuseDatabaseOptions(options);
      const source = await sourceOf(folder, options, context);
      const run = { dryRun, publishPartners };
      await context.withCatalog((dataSource) => new DaisyImport(source, run, dataSource, context).run());
    });
}

/** The data of a DAISY that neither its API nor its files contain. */
const unseen =
  'Not in the source: users, roles, custodians, endpoints and their keys, exposures, accesses, permissions, cohorts that ' +
  'are not published, contracts without an exposed dataset, documents, committees and history. Use --database to import them.';

/** The days after the migration in which keys are converted by default. */
const keyDays = 90;

/** The options that only `--database` accepts. */
type DatabaseOptions = Partial<Omit<MigrateOptions, 'database' | 'dryRun' | 'skip'>> & { readonly skip?: string[] };

/** @throws UsageError if an option that has an effect only with `--database` is given */
function refuseDatabaseOptions({ report, publicPlatforms, keys, newKeys, keysUntil, skip }: DatabaseOptions): void {
  const given = [report, publicPlatforms, keys, newKeys, keysUntil, skip];
  if (given.every((value) => value === undefined)) return;
  throw new UsageError(
    '--report, --public-platforms, --keys, --new-keys, --keys-until and --skip can be used only with --database.',
  );
}

function migrateOptionsOf(database: string, options: DatabaseOptions): Omit<MigrateOptions, 'dryRun'> {
  const { report, publicPlatforms, timeZone = 'UTC', skip = [], keys, newKeys } = options;
  if (!/^postgres(ql)?:/.test(database)) throw new UsageError('--database must be a postgres:// URL.');
  if (report === undefined) throw new UsageError('--report is required: a file for the report of the migration.');
  if (publicPlatforms === undefined) {
    throw new UsageError(
      '--public-platforms is required: all, none, or the names of the platforms whose names and paths endpoints see.',
    );
  }
  const keysUntil = options.keysUntil ?? new Date(Date.now() + keyDays * 86_400_000);
  return { database, report, publicPlatforms, timeZone, skip, keys, newKeys, keysUntil };
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError('It must be a day, such as 2027-03-31.');
}

/** One import of a DAISY. */
class DaisyImport {
  private readonly writing: OfflineWriter;
  private readonly report = new MappingReport();
  private readonly mapping = new DaisyMapping(this.report);
  private readonly published: Record<'partners' | 'cohorts', string[]> = { partners: [], cohorts: [] };

  constructor(
    private readonly source: DaisySource,
    private readonly options: { readonly dryRun: boolean; readonly publishPartners: boolean },
    private readonly dataSource: DataSource,
    private readonly context: CommandContext,
  ) {
    this.writing = new OfflineWriter(context.settings, dataSource);
  }

  async run(): Promise<void> {
    for (const list of daisyLists) await this.import(list);
    if (!this.options.dryRun) await this.publish();
    const lines = this.report.lines();
    this.context.print(lines.length === 0 ? 'All records were imported unchanged.' : 'Not imported unchanged:');
    for (const line of lines) this.context.print(`  ${line}`);
    this.context.print(unseen);
  }

  private async import(list: DaisyList): Promise<void> {
    const input = await this.source.read(list);
    const kind = findKind(list);
    if (!input || !kind) {
      this.context.print(`${list}: not in the source.`);
      return;
    }
    const { settings } = this.context;
    const projects = list === 'contracts' ? await this.projectIds() : new Map<string, number>();
    const report = await this.writing.bulk
      .run(kind, this.documents(list, input, projects), {
        actor: commandActor,
        rights: allRights,
        dryRun: this.options.dryRun,
        createMissing: true,
        ownSource: settings.get(DocumentsSettings).SERVER_URL ?? null,
        lockTimeoutMs: 0,
      })
      .catch((error: unknown) => {
        if (error instanceof InvalidItemsError)
          error.lines().forEach((line) => {
            this.context.print(`${list}: ${line}`);
          });
        throw error;
      });
    this.context.print(summaryOf(kind, report));
  }

  private async *documents(
    list: DaisyList,
    input: AsyncIterable<Uint8Array>,
    projects: ReadonlyMap<string, number>,
  ): AsyncGenerator<string> {
    for await (const text of itemTexts(input)) {
      const { project, ...document } = this.mapping.documentOf(list, JSON.parse(text)) as Document & {
        project?: string;
      };
      // DAISY's API returns published cohorts only.
      if (list === 'cohorts') this.published.cohorts.push(nameOf(document));
      if (list === 'partners' && this.options.publishPartners) this.published.partners.push(nameOf(document));
      const projectMembers = list === 'contracts' ? { project_id: projects.get(project ?? '') ?? null } : { project };
      yield JSON.stringify({ ...document, ...((list === 'contracts' || list === 'datasets') && projectMembers) });
    }
  }

  /** Returns the ids of the imported projects in this catalog, by accession or acronym. */
  private async projectIds(): Promise<Map<string, number>> {
    const names = [...this.mapping.projectNames.values()];
    const rows = await this.dataSource.query<{ name: string; id: number }[]>(
      `SELECT given.name, project.id FROM unnest($1::text[]) AS given (name)
         JOIN projects AS project ON project.external_id = given.name OR project.acronym = given.name`,
      [names],
    );
    return new Map(rows.map(({ name, id }) => [name, id]));
  }

  private async publish(): Promise<void> {
    const partners = await this.source.readPublishedPartners();
    if (partners) {
      for await (const text of itemTexts(partners)) {
        this.published.partners.push(nameOf(rawOf(JSON.parse(text))));
      }
    }
    for (const list of ['partners', 'cohorts'] as const) {
      const count = await this.writing.publish(list, this.published[list]);
      this.context.print(`${list}: ${String(count)} published.`);
    }
  }
}

function nameOf(document: Document): string {
  return textOf(document['name']) ?? '';
}

async function sourceOf(
  folder: string | undefined,
  { url, key, keyFile }: { readonly url?: string; readonly key?: string; readonly keyFile?: string },
  { print }: CommandContext,
): Promise<DaisySource> {
  if (folder !== undefined && url === undefined) return new DaisyFolder(folder);
  if (folder !== undefined || url === undefined) {
    throw new UsageError('Either a folder, or --url and --key-file are required.');
  }
  if (!key) return new DaisyApi(url, await readKey(keyFile));
  print(
    'Warning: other users of this machine can read the value of --key in the list of processes. Use --key-file instead.',
  );
  return new DaisyApi(url, key);
}

async function readKey(file: string | undefined): Promise<string> {
  const key = file === undefined ? '' : (await readText(file)).trim();
  if (key === '') {
    throw new UsageError(
      '--key-file must be a file that contains the global key of the DAISY. Use /dev/stdin for standard input.',
    );
  }
  return key;
}
