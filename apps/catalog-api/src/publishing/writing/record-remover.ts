import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import { StoredDocuments } from '../documents/stored-documents.js';
import type { RecordBody, RecordKind } from './record-kind.js';

/** A record without references, which is to be removed. */
export interface RemovableRecord<Body extends RecordBody> {
  readonly kind: RecordKind<Body>;
  readonly id: number;
  /** The actor in the audit trail. */
  readonly actor: string;
}

/** Removes records with their dependent rows. */
@Injectable()
export class RecordRemover {
  constructor(
    private readonly documents: StoredDocuments,
    private readonly audit: AuditTrail,
  ) {}

  /** Removes a record. The caller holds the writing lock, and no other record refers to the record. */
  async remove<Body extends RecordBody>(
    { manager, touch }: CatalogTransaction,
    { kind, id, actor }: RemovableRecord<Body>,
  ): Promise<void> {
    const before = (await this.documents.imagesOf(manager, kind.list, [id])).get(id);
    const hidden = await kind.hiddenWith?.(manager, [id]);
    const afterwards = await kind.beforeRemoval?.(manager, [id]);
    await this.documents.lock(manager);
    await manager.query(`DELETE FROM ${kind.list} WHERE id = $1`, [id]);
    await afterwards?.();
    touch({ ...hidden, [kind.list]: [id] });
    await this.audit.record(manager, { actor, action: 'remove', resource: kind.list, recordId: id, before });
  }
}
