import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { DataSource } from 'typeorm';
import { poolOf } from '../../platform/database/prepared.js';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import { ListVersions } from '../../publishing/documents/list-versions.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StreamedList } from '../../publishing/documents/stored-response.js';
import { IriBase } from './iri-base.js';
import { publicDatasets, SitemapRepository } from './sitemap.repository.js';

/**
 * The maximum number of datasets in a file. The protocol of sitemaps.org allows 50,000 addresses; one is the catalog's.
 */
const datasetsPerFile = 50_000 - 1;

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const options = {
  headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, no-cache' },
  page: {},
  isPublic: true,
} as const;

/** Reads the sitemap: the address of each public dataset and the time of its last change. */
@Injectable()
export class SitemapService {
  private readonly versions: ListVersions;
  private counted: { readonly version: string; readonly count: Promise<number> } | undefined;

  constructor(
    private readonly repository: SitemapRepository,
    private readonly reader: DocumentReader,
    private readonly base: IriBase,
    dataSource: DataSource,
  ) {
    this.versions = new ListVersions(poolOf(dataSource));
  }

  /**
   * Returns a file of the sitemap, or the index of the files.
   *
   * @param file the number of the file, from 1. If undefined, returns the index if there are several files, otherwise
   *   the only file.
   * @throws UnknownRecordError if there is no such file
   */
  async sitemap(file: number | undefined, conditions: ReadConditions): Promise<StreamedList> {
    const files = Math.max(1, Math.ceil((await this.count()) / datasetsPerFile));
    if (file !== undefined && file > files) throw new UnknownRecordError('sitemap', String(file));
    const base = escaped(this.base.of(conditions.origin));
    return file === undefined && files > 1 ? this.index(base, conditions) : this.addresses(file ?? 1, base, conditions);
  }

  private addresses(file: number, base: string, conditions: ReadConditions): Promise<StreamedList> {
    const query = this.repository.addresses(file, datasetsPerFile, base);
    const catalog = `<url><loc>${base}api/dcat</loc></url>`;
    const envelope = { open: `${xmlHead}<urlset ${namespace}>${catalog}`, close: '</urlset>\n', separator: ' ' };
    return this.reader.list({ ...query, ...options, envelope }, conditions);
  }

  private index(base: string, conditions: ReadConditions): Promise<StreamedList> {
    const query = this.repository.files(datasetsPerFile, base);
    const envelope = { open: `${xmlHead}<sitemapindex ${namespace}>`, close: '</sitemapindex>\n', separator: ' ' };
    return this.reader.list({ ...query, ...options, envelope }, conditions);
  }

  /** Returns the number of public datasets. The datasets are counted again only after one of them has changed. */
  private async count(): Promise<number> {
    const version = await this.versions.of(publicDatasets);
    if (this.counted?.version === version) return this.counted.count;
    const counted = { version, count: this.repository.count() };
    this.counted = counted;
    counted.count.catch(() => {
      if (this.counted === counted) this.counted = undefined;
    });
    return counted.count;
  }
}

/** Escapes a text for XML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
