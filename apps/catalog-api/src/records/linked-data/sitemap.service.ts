import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { ListRequest } from '../../publishing/documents/document-query.js';
import { ListVersions } from '../../publishing/documents/list-versions.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { instant, published, exposureJoin } from './linked-query.js';

/** Addresses in one file at most, by the protocol of sitemaps.org; one is the catalog's. */
const datasetsPerFile = 50_000 - 1;

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The sitemap: where the public datasets stand, and when each last changed. */
@Injectable()
export class SitemapService {
  private readonly exposures: Sql;
  private readonly versions: ListVersions;
  private counted: { readonly version: string; readonly count: Promise<number> } | undefined;

  constructor(
    private readonly dataSource: DataSource,
    visibility: Visibility,
  ) {
    this.versions = new ListVersions(poolOf(dataSource));
    this.exposures = visibility.exposures({ kind: 'anonymous' });
  }

  /**
   * The whole sitemap, or the index of its files when it is too large for one, or one of those.
   *
   * @param file its number from 1; none for the whole
   * @throws UnknownRecordError when there is no such file
   */
  async sitemap(file: number | undefined, base: string): Promise<ListRequest> {
    const files = Math.max(1, Math.ceil((await this.count()) / datasetsPerFile));
    if (file !== undefined && file > files) throw new UnknownRecordError('sitemap', String(file));
    return file === undefined && files > 1 ? this.index(base) : this.addresses(file ?? 1, base);
  }

  private addresses(file: number, base: string): ListRequest {
    const catalog = `<url><loc>${escaped(base)}api/dcat</loc></url>`;
    const numbered = this.numbered();
    return {
      ...labelled,
      joins: exposureJoin({ ...labelled, exposures: this.exposures, pages: sql`false` }),
      where: [
        sql`document.id IN (SELECT id FROM (${numbered}) AS numbered
          WHERE place > ${(file - 1) * datasetsPerFile}::integer AND place <= ${file * datasetsPerFile}::integer)`,
      ],
      item: sql`'<url><loc>' || ${escaped(base)}::text || (('{' || document.linked || '}')::json ->> '@id')
        || '</loc><lastmod>' || ${instant('modified')} || '</lastmod></url>'`,
      envelope: { open: `${head}<urlset ${namespace}>${catalog}`, close: '</urlset>\n', separator: ' ' },
    };
  }

  private index(base: string): ListRequest {
    return {
      ...labelled,
      joins: sql`JOIN (${this.numbered()}) AS numbered
        ON numbered.id = document.id AND (place - 1) % ${datasetsPerFile}::integer = 0`,
      where: [],
      item: sql`'<sitemap><loc>' || ${escaped(base)}::text || 'sitemap.xml?file='
        || (place - 1) / ${datasetsPerFile}::integer + 1 || '</loc></sitemap>'`,
      envelope: { open: `${head}<sitemapindex ${namespace}>`, close: '</sitemapindex>\n', separator: ' ' },
    };
  }

  /** Public datasets and the place of each among them, from 1. */
  private numbered(): Sql {
    return sql`SELECT document.id, row_number() OVER (ORDER BY document.created_at, document.id) AS place
      FROM dataset_documents AS document WHERE ${published('datasets', this.exposures)}`;
  }

  /** How many datasets are public: counted again only if the public datasets have changed. */
  private async count(): Promise<number> {
    const version = await this.versions.of(labelled);
    if (this.counted?.version === version) return this.counted.count;
    const counted = { version, count: this.countNow() };
    this.counted = counted;
    counted.count.catch(() => {
      if (this.counted === counted) this.counted = undefined;
    });
    return counted.count;
  }

  private async countNow(): Promise<number> {
    const statement = sql`SELECT count(*)::integer AS count FROM dataset_documents AS document
      WHERE ${published('datasets', this.exposures)}`;
    const [row] = await runPrepared<{ count: number }>(poolOf(this.dataSource), statement);
    return row?.count ?? 0;
  }
}

const labelled = {
  list: 'datasets',
  view: 'anonymous',
  headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, no-cache' },
  page: {},
  open: true,
} as const;

/** A text as it stands in XML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
