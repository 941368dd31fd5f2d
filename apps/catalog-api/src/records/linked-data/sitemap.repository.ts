import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { instant, published, exposureJoin } from './linked-query.js';

/** The list and the view that the sitemap reads. */
export const publicDatasets = { list: 'datasets', view: 'anonymous' } as const;

/** The SQL of the sitemap. */
@Injectable()
export class SitemapRepository {
  private readonly exposures: Sql;

  constructor(
    private readonly dataSource: DataSource,
    visibility: Visibility,
  ) {
    this.exposures = visibility.exposures({ kind: 'anonymous' });
  }

  /** Returns the number of public datasets. */
  async count(): Promise<number> {
    const statement = sql`SELECT count(*)::integer AS count FROM dataset_documents AS document
      WHERE ${published('datasets', this.exposures)}`;
    const [row] = await runPrepared<{ count: number }>(poolOf(this.dataSource), statement);
    return row?.count ?? 0;
  }

  /**
   * Returns the query of the addresses in one file.
   *
   * @param file the number of the file, from 1
   * @param base the base of the addresses, escaped for XML
   */
  addresses(file: number, perFile: number, base: string): DocumentQuery {
    return {
      ...publicDatasets,
      joins: exposureJoin({ ...publicDatasets, exposures: this.exposures, pages: sql`false` }),
      where: [
        sql`document.id IN (SELECT id FROM (${this.numbered()}) AS numbered
          WHERE place > ${(file - 1) * perFile}::integer AND place <= ${file * perFile}::integer)`,
      ],
      item: sql`'<url><loc>' || ${base}::text || (('{' || document.linked || '}')::json ->> '@id')
        || '</loc><lastmod>' || ${instant('modified')} || '</lastmod></url>'`,
    };
  }

  /** Returns the query of the files. @param base the base of the addresses, escaped for XML */
  files(perFile: number, base: string): DocumentQuery {
    return {
      ...publicDatasets,
      joins: sql`JOIN (${this.numbered()}) AS numbered
        ON numbered.id = document.id AND (place - 1) % ${perFile}::integer = 0`,
      where: [],
      item: sql`'<sitemap><loc>' || ${base}::text || 'sitemap.xml?file='
        || (place - 1) / ${perFile}::integer + 1 || '</loc></sitemap>'`,
    };
  }

  /** Returns the statement that numbers the public datasets, from 1. */
  private numbered(): Sql {
    return sql`SELECT document.id, row_number() OVER (ORDER BY document.created_at, document.id) AS place
      FROM dataset_documents AS document WHERE ${published('datasets', this.exposures)}`;
  }
}
