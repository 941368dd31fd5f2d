import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import { StoredDocuments } from '../documents/stored-documents.js';
import { Accessions } from './accessions.js';

/** The lists whose records carry a flag of their own. */
export type PublishedList = 'partners' | 'cohorts';

/** Publishes and unpublishes partners and cohorts, many at once. */
@Injectable()
export class Publisher {
  constructor(
    private readonly documents: StoredDocuments,
    private readonly accessions: Accessions,
    private readonly audit: AuditTrail,
  ) {}

  /** Publishes those that are not; one without accession gets its own. The caller holds the writing lock. */
  async publish(
    transaction: CatalogTransaction,
    list: PublishedList,
    ids: readonly number[],
    actor: string,
  ): Promise<void> {
    await this.set(transaction, list, { ids, published: true, actor });
  }

  /** Unpublishes those that are published. The caller holds the writing lock. */
  async unpublish(
    transaction: CatalogTransaction,
    list: PublishedList,
    ids: readonly number[],
    actor: string,
  ): Promise<void> {
    await this.set(transaction, list, { ids, published: false, actor });
  }

  private async set(
    { manager, touch }: CatalogTransaction,
    list: PublishedList,
    wanted: { readonly ids: readonly number[]; readonly published: boolean; readonly actor: string },
  ): Promise<void> {
    const { published, actor } = wanted;
    const rows = await manager.query<{ id: number; external_id: string | null }[]>(
      `SELECT id, external_id FROM ${list} WHERE id = ANY ($1) AND published <> $2 ORDER BY id`,
      [wanted.ids, published],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const bare = published ? rows.filter(({ external_id }) => external_id === null).map(({ id }) => id) : [];
    const before = await this.documents.imagesOf(manager, list, ids);
    await manager.query(
      `UPDATE ${list} AS record SET published = $2, version = version + 1, updated_at = now(),
              external_id = coalesce(record.external_id, given.accession)
         FROM unnest($1::integer[]) AS changed (id)
         LEFT JOIN unnest($3::integer[], $4::text[]) AS given (id, accession) USING (id)
        WHERE record.id = changed.id`,
      [ids, published, bare, await this.accessions.reserve(manager, bare.length)],
    );
    touch({ [list]: ids });
    const after = await this.documents.imagesOf(manager, list, ids);
    const action = published ? 'publish' : 'unpublish';
    await this.audit.record(
      manager,
      ...ids.map((id) => ({
        actor,
        action,
        resource: list,
        recordId: id,
        before: before.get(id),
        after: after.get(id),
      })),
    );
  }
}
