import type { EntityManager } from 'typeorm';
import { maxNameLength } from '../../../platform/database/lengths.js';
import { useClassCodes } from '../../../records/datasets/use-condition.entity.js';
import type { DaisyDatabase } from './daisy-database.js';
import { migrationActor, type ImportTrail } from './migrated-rows.js';
import type { MigrationReport } from './migration-report.js';

/** The terms of DAISY's four vocabularies. Terms with the same identifier are read once. */
const termsSql = `
  SELECT DISTINCT ON (category, term_id) category, term_id, label FROM (
    SELECT 'disease' AS category, id, term_id, label FROM core_diseaseterm
    UNION ALL SELECT 'phenotype', id, term_id, label FROM core_phenotypeterm
    UNION ALL SELECT 'study', id, term_id, label FROM core_studyterm
    UNION ALL SELECT 'gene', id, term_id, label FROM core_geneterm
  ) AS term ORDER BY category, term_id, id`;

/** The use classes of DAISY. Of several rows with one code, the first counts, as in DAISY's answers. */
const useClassesSql = `
  SELECT DISTINCT ON (class.code) class.code, class.name AS label,
    (SELECT count(*)::integer FROM core_usecondition WHERE condition_class = class.code) AS conditions
  FROM core_conditionclass AS class ORDER BY class.code, class.id`;

/** A use class of DAISY. `conditions` counts the use conditions with the class. */
interface UseClassRow {
  readonly code: string;
  readonly label: string;
  readonly conditions: number;
}

/** The terms and the labels of use classes of a DAISY. Terms and labels of the catalog stay. */
export class Vocabularies {
  constructor(
    private readonly daisy: DaisyDatabase,
    private readonly manager: EntityManager,
    private readonly report: MigrationReport,
  ) {}

  async import(trail: ImportTrail): Promise<void> {
    await this.importTerms();
    await this.importLabels(trail);
  }

  private async importTerms(): Promise<void> {
    const counts = this.report.countsOf('term');
    for await (const terms of this.daisy.batches<object>(termsSql)) {
      const inserted = await this.manager.query<unknown[]>(
        `INSERT INTO terms (id, category, term_id, label)
         SELECT (SELECT coalesce(max(id), 0) FROM terms) + ordinality, category, term_id, label
           FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (category text, term_id text, label text)) WITH ORDINALITY
         ON CONFLICT (category, term_id) DO NOTHING RETURNING id`,
        [JSON.stringify(terms)],
      );
      counts.existed += terms.length;
      counts.imported += inserted.length;
      counts.unchanged += terms.length - inserted.length;
    }
  }

  /** Imports the labels that differ from the defaults, because facets of data catalogs show them. */
  private async importLabels(trail: ImportTrail): Promise<void> {
    const counts = this.report.countsOf('use class');
    const classes = await this.daisy.all<UseClassRow>(useClassesSql);
    const importable = classes.filter((each) => this.isImportable(each));
    const stored = await this.manager.query<{ code: string; before: string; after: string }[]>(
      `INSERT INTO use_class_labels (id, code, label)
       SELECT (SELECT coalesce(max(id), 0) FROM use_class_labels) + row_number() OVER (ORDER BY class.code), class.code, given.label
         FROM unnest($1::text[], $2::text[]) AS given (code, label) JOIN use_classes AS class ON class.code = given.code
        WHERE class.label <> given.label
       ON CONFLICT (code) DO NOTHING
       RETURNING code, (SELECT label FROM use_classes AS class WHERE class.code = use_class_labels.code) AS before, label AS after`,
      [importable.map(({ code }) => code), importable.map(({ label }) => label)],
    );
    counts.existed += classes.length;
    counts.imported += importable.length;
    counts.leftOut += classes.length - importable.length;
    await this.noteChanges(
      stored.map(({ code }) => code),
      importable,
    );
    const at = new Date();
    await trail.addEntries(
      stored.map(({ code, before, after }) => ({
        ...{ at, actor: migrationActor, action: 'update', resource: 'use_classes', record_id: code },
        ...{ before: { label: before }, after: { label: after } },
      })),
    );
  }

  private async noteChanges(stored: readonly string[], importable: readonly UseClassRow[]): Promise<void> {
    const kept = await this.manager.query<{ code: string; label: string }[]>(
      'SELECT code, label FROM use_class_labels',
    );
    for (const code of stored) this.report.note('use class', 'the label of DAISY replaces the default label', code);
    for (const { code, label } of importable) {
      if (!kept.some((own) => own.code === code && own.label !== label)) continue;
      this.report.note('use class', 'the catalog has its own label, which stays', code);
    }
  }

  private isImportable({ code, label, conditions }: UseClassRow): boolean {
    const leave = (reason: string): false => {
      this.report.leftOut.push({ record: `use class/${code}`, reason });
      return false;
    };
    if (!useClassCodes.some((known) => known === code)) {
      return leave(`the catalog does not have it; ${String(conditions)} use conditions have the class Other instead`);
    }
    if (label.trim() === '') return leave('its label is empty; the default label stays');
    if (label.length > maxNameLength) {
      return leave(`its label has more than ${String(maxNameLength)} characters; the default label stays`);
    }
    return true;
  }
}
