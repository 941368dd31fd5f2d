import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import type { UseClassResponse } from './use-class.dto.js';

const select = `
  SELECT code, label, default_label,
         (SELECT count(DISTINCT declaration.dataset_id)::integer FROM use_conditions AS condition
            JOIN data_declarations AS declaration ON declaration.id = condition.data_declaration_id
           WHERE condition.use_class = class.code) AS datasets
    FROM labelled_use_classes AS class`;

/** The labels of consent codes, for the service and for commands. */
@Injectable()
export class UseClassLabels {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: CatalogWriter,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns every consent code in alphabetical order. */
  list(): Promise<UseClassResponse[]> {
    return this.dataSource.query<UseClassResponse[]>(`${select} ORDER BY code`);
  }

  /**
   * Sets the label of a code, and rebuilds the documents that contain the label. If the label is the present one, nothing
   * is written.
   *
   * @param label null for the default label
   * @throws UnknownRecordError if there is no such code
   */
  set(code: string, label: string | null, actor: string): Promise<UseClassResponse> {
    return this.writer.write(async ({ manager, touch }) => {
      await acquireWritingLock(manager);
      const before = await findOrFail(manager, code);
      const next = label ?? before.default_label;
      if (next === before.label) return before;
      await store(manager, code, next === before.default_label ? null : next);
      touch({ datasets: await datasetsWith(manager, code) });
      await this.audit.record(manager, {
        ...{ actor, action: 'update', resource: 'use_classes', recordId: code },
        ...{ before: { label: before.label }, after: { label: next } },
      });
      return { code, label: next, default_label: before.default_label, datasets: before.datasets };
    });
  }
}

async function findOrFail(manager: EntityManager, code: string): Promise<UseClassResponse> {
  const [row] = code.includes('\0') ? [] : await manager.query<UseClassResponse[]>(`${select} WHERE code = $1`, [code]);
  if (!row) throw new UnknownRecordError('use class', code);
  return row;
}

async function store(manager: EntityManager, code: string, label: string | null): Promise<void> {
  if (label === null) await manager.query('DELETE FROM use_class_labels WHERE code = $1', [code]);
  else
    await manager.query(
      `INSERT INTO use_class_labels (code, label) VALUES ($1, $2)
       ON CONFLICT (code) DO UPDATE SET label = excluded.label`,
      [code, label],
    );
}

async function datasetsWith(manager: EntityManager, code: string): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(
    `SELECT DISTINCT declaration.dataset_id AS id FROM use_conditions AS condition
       JOIN data_declarations AS declaration ON declaration.id = condition.data_declaration_id
      WHERE condition.use_class = $1`,
    [code],
  );
  return rows.map(({ id }) => id);
}
