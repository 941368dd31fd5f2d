import type { EntityManager } from 'typeorm';
import { unique } from '../contacts/contact.writer.js';
import { differs, type WriteBatch, type WrittenRecord } from '../../publishing/writing/record-kind.js';
import { columnsOf, insertRows, replaceRows, reserveIds } from '../../publishing/writing/rows.js';
import type { DataDeclarationBody, DatasetBody } from './dataset.body.js';

type Batch = WriteBatch<DatasetBody>;
type WrittenDataset = WrittenRecord<DatasetBody>;

/**
 * Writes what belongs to datasets, of those where it differs. A dataset that changes its project takes its exposures
 * along: the former and the new project, and their contracts, may be hidden or shown.
 */
export async function writeDatasetParts(batch: Batch): Promise<void> {
  const declared = batch.records.filter((record) => differs(record, 'data_declarations'));
  const based = batch.records.filter((record) => declared.includes(record) || differs(record, 'legal_bases'));
  await writeDeclarations(batch, declared);
  await writeLegalBases(batch, based);
  await writeStorages(batch);
  await writeTransfers(batch);
  const moved = batch.records.filter(
    (record) => record.before && (differs(record, 'project') || differs(record, 'project_external_id')),
  );
  const acronyms = unique(moved.flatMap(({ before }) => before?.project ?? []));
  if (moved.length > 0) {
    batch.touch({ exposed: idsOf(moved), vacated: await projectsNamed(batch.manager, acronyms) });
  }
}

/** A declaration that keeps its title keeps its partner, of which documents say nothing. */
async function writeDeclarations({ manager, references }: Batch, records: readonly WrittenDataset[]): Promise<void> {
  if (records.length === 0) return;
  const partners = await declarationPartners(manager, idsOf(records));
  const ids = await reserveIds(manager, 'data_declarations', countAll(records, 'data_declarations'));
  const declarations = records.flatMap(({ id: dataset, body }) =>
    body.data_declarations.map((declaration, position) => ({
      id: ids.shift() ?? 0,
      dataset_id: dataset,
      position,
      partner_id: partners.get(keyOf(dataset, declaration.title)) ?? null,
      declaration,
    })),
  );
  const rows = declarations.map(({ declaration, ...row }) => ({
    ...row,
    ...columnsOf(declaration, ['cohorts', 'use_conditions']),
  }));
  await replaceRows(manager, 'data_declarations', { column: 'dataset_id', ids: idsOf(records) }, rows);
  const links = declarations.flatMap(({ id, declaration }) =>
    unique(cohortNames(declaration).map((cohort) => references.resolveId(cohort))).map((cohort_id, position) => ({
      data_declaration_id: id,
      cohort_id,
      position,
    })),
  );
  await insertRows(manager, 'data_declaration_cohorts', links);
  const conditions = declarations.flatMap(({ id, declaration }) =>
    declaration.use_conditions.map((condition, position) => ({ ...condition, data_declaration_id: id, position })),
  );
  await insertRows(manager, 'use_conditions', conditions);
}

function cohortNames({
  cohorts,
}: DataDeclarationBody): { to: 'cohorts'; name: string | null; externalId: string | null }[] {
  return cohorts.map(({ cohort, cohort_external_id }) => ({
    to: 'cohorts',
    name: cohort,
    externalId: cohort_external_id,
  }));
}

async function declarationPartners(manager: EntityManager, datasets: readonly number[]): Promise<Map<string, number>> {
  const rows = await manager.query<{ dataset_id: number; title: string; partner_id: number }[]>(
    'SELECT dataset_id, title, partner_id FROM data_declarations WHERE dataset_id = ANY ($1) AND partner_id IS NOT NULL',
    [datasets],
  );
  return new Map(rows.map(({ dataset_id, title, partner_id }) => [keyOf(dataset_id, title), partner_id]));
}

async function writeLegalBases({ manager }: Batch, records: readonly WrittenDataset[]): Promise<void> {
  if (records.length === 0) return;
  const ids = await reserveIds(manager, 'legal_bases', countAll(records, 'legal_bases'));
  const bases = records.flatMap(({ id: dataset, body }) =>
    body.legal_bases.map((basis, position) => ({ id: ids.shift() ?? 0, dataset_id: dataset, position, basis })),
  );
  const rows = bases.map(({ basis, ...row }) => ({ ...row, ...columnsOf(basis, ['data_declarations']) }));
  await replaceRows(manager, 'legal_bases', { column: 'dataset_id', ids: idsOf(records) }, rows);
  const links = bases.flatMap(({ id, dataset_id, basis }) =>
    basis.data_declarations.map((title) => ({ legal_basis_id: id, dataset_id, title })),
  );
  await manager.query(
    `INSERT INTO legal_basis_declarations (legal_basis_id, data_declaration_id)
     SELECT link.legal_basis_id, declaration.id
       FROM jsonb_to_recordset($1::jsonb) AS link (legal_basis_id integer, dataset_id integer, title text)
       JOIN data_declarations AS declaration USING (dataset_id, title)`,
    [JSON.stringify(links)],
  );
}

async function writeStorages({ manager, records, references }: Batch): Promise<void> {
  const changed = records.filter((record) => differs(record, 'storages'));
  const rows = changed.flatMap(({ id, body }) =>
    body.storages.map(({ platform, ...storage }, position) => ({
      ...storage,
      dataset_id: id,
      position,
      platform_id: references.resolveId({ to: 'platforms', name: platform }),
    })),
  );
  await replaceRows(manager, 'storage_locations', { column: 'dataset_id', ids: idsOf(changed) }, rows);
}

async function writeTransfers({ manager, records, references }: Batch): Promise<void> {
  const changed = records.filter((record) => differs(record, 'transfers'));
  const rows = changed.flatMap(({ id, body }) =>
    body.transfers.map(({ partner, ...transfer }, position) => ({
      ...transfer,
      dataset_id: id,
      position,
      partner_id: partner === null ? null : references.resolveId({ to: 'partners', name: partner }),
    })),
  );
  await replaceRows(manager, 'transfers', { column: 'dataset_id', ids: idsOf(changed) }, rows);
}

function idsOf(records: readonly WrittenDataset[]): number[] {
  return records.map(({ id }) => id);
}

function countAll(records: readonly WrittenDataset[], member: 'data_declarations' | 'legal_bases'): number {
  return records.reduce((count, { body }) => count + body[member].length, 0);
}

function keyOf(dataset: number, title: string): string {
  return `${String(dataset)} ${title}`;
}

/** The ids of the projects of datasets. */
export async function projectsOf(manager: EntityManager, datasets: readonly number[]): Promise<number[]> {
  const [{ ids }] = await manager.query<[{ ids: number[] }]>(
    `SELECT ARRAY(SELECT DISTINCT project_id FROM datasets WHERE id = ANY ($1) AND project_id IS NOT NULL) AS ids`,
    [datasets],
  );
  return ids;
}

async function projectsNamed(manager: EntityManager, acronyms: readonly string[]): Promise<number[]> {
  const [{ ids }] = await manager.query<[{ ids: number[] }]>(
    'SELECT ARRAY(SELECT id FROM projects WHERE acronym = ANY ($1)) AS ids',
    [acronyms],
  );
  return ids;
}
