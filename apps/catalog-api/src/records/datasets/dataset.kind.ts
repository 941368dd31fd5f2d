import type { FieldProblem } from '@rdc/errors';
import { randomUUID } from 'node:crypto';
import { unique } from '../contacts/contact.writer.js';
import { countReferences, type DocumentChange, type RecordKind } from '../../publishing/writing/record-kind.js';
import type { Reference } from '../../publishing/writing/references.js';
import { columnsOf } from '../../publishing/writing/rows.js';
import type { DataDeclarationBody, DatasetBody, StorageBody, TransferBody } from './dataset.body.js';
import { projectsOf, writeDatasetParts } from './dataset.writer.js';
import { datasetSchema } from './dataset.schema.js';
import { healthProblems } from './health-description.js';

/** The rules for writing datasets. */
export const datasetKind: RecordKind<DatasetBody> = {
  list: 'datasets',
  word: 'dataset',
  schema: datasetSchema,
  naturalKey: 'name',
  accession: 'on creation',
  overridden: { project: 'project_external_id', elu_uuid: 'uuid', uuid: 'elu_uuid' },
  hiddenWith: async (manager, ids) => ({ vacated: await projectsOf(manager, ids) }),
  removalConstraints: [
    { dependents: 'active exposures', sql: countReferences('exposures', 'dataset_id', 'deprecated_at IS NULL') },
    {
      dependents: 'accesses',
      sql: countReferences(
        'accesses',
        'dataset_id',
        `status <> 'terminated' AND (expires_at IS NULL OR expires_at > now())`,
      ),
    },
  ],
  normalize,
  check: (body) => [
    ...repeatedTitles(body),
    ...unknownTitles(body),
    ...namelessPlatforms(body),
    ...healthProblems(body.metadata),
  ],
  ownPart: (_, changes) => Promise.resolve(changes.map(withKnownAccessions)),
  references: (body) => [
    ...projectOf(body),
    ...body.data_declarations.flatMap(cohortsOf),
    ...body.storages.flatMap(platformOf),
    ...body.transfers.flatMap(partnerOf),
  ],
  row(body, references) {
    const [project] = projectOf(body);
    return {
      ...columnsOf(body, [
        'project',
        'project_external_id',
        'data_declarations',
        'legal_bases',
        'storages',
        'transfers',
      ]),
      uuid: body.uuid ?? randomUUID(),
      project_id: project ? references.resolveId(project) : null,
    };
  },
  writeParts: writeDatasetParts,
};

function projectOf({ project, project_external_id }: DatasetBody): Reference[] {
  if (project_external_id !== null) {
    return [{ to: 'projects', field: 'project_external_id', name: project, externalId: project_external_id }];
  }
  return project === null ? [] : [{ to: 'projects', field: 'project', name: project }];
}

function cohortsOf({ cohorts }: DataDeclarationBody, declaration: number): Reference[] {
  return cohorts.map(({ cohort, cohort_external_id }, index) => ({
    to: 'cohorts',
    field: `data_declarations[${String(declaration)}].cohorts[${String(index)}]`,
    name: cohort,
    externalId: cohort_external_id,
  }));
}

function platformOf({ platform }: StorageBody, index: number): Reference[] {
  return [{ to: 'platforms', field: `storages[${String(index)}].platform`, name: platform }];
}

function partnerOf({ partner }: TransferBody, index: number): Reference[] {
  return partner === null ? [] : [{ to: 'partners', field: `transfers[${String(index)}].partner`, name: partner }];
}

/** Sorts lists whose order is irrelevant into the order of the export, removes duplicates, and reads `elu_uuid`. */
function normalize({ elu_uuid, ...body }: DatasetBody & { readonly elu_uuid?: string | null }): DatasetBody {
  const titles = body.data_declarations.map(({ title }) => title);
  return {
    ...body,
    uuid: (body.uuid ?? elu_uuid)?.toLowerCase() ?? null,
    data_declarations: body.data_declarations.map((declaration) => ({
      ...declaration,
      data_types: unique(declaration.data_types).sort(),
    })),
    legal_bases: body.legal_bases.map((basis) => ({
      ...basis,
      data_declarations: unique(basis.data_declarations).sort(
        (one, other) => titles.indexOf(one) - titles.indexOf(other),
      ),
    })),
  };
}

/**
 * Adds the accessions to unchanged names of the project and of cohorts, so that the names refer to the same records.
 */
function withKnownAccessions({ id, body, before }: DocumentChange<DatasetBody>): DocumentChange<DatasetBody> {
  if (before === null) return { id, body, before };
  const known = new Map(
    before.data_declarations.flatMap(({ cohorts }) => cohorts.map((each) => [each.cohort, each] as const)),
  );
  const { project, project_external_id } = before;
  const sameProject =
    body.project_external_id === null ? body.project === project : body.project_external_id === project_external_id;
  return {
    id,
    before,
    body: {
      ...body,
      ...(sameProject && { project, project_external_id }),
      data_declarations: body.data_declarations.map((declaration) => ({
        ...declaration,
        cohorts: declaration.cohorts.map((each) =>
          each.cohort_external_id === null ? (known.get(each.cohort) ?? each) : each,
        ),
      })),
    },
  };
}

function repeatedTitles({ data_declarations }: DatasetBody): FieldProblem[] {
  const titles = data_declarations.map(({ title }) => title);
  return titles.flatMap((title, index) =>
    titles.indexOf(title) === index
      ? []
      : [
          {
            field: `data_declarations[${String(index)}].title`,
            problem: `must be unique in the dataset: ${JSON.stringify(title)} is already used`,
          },
        ],
  );
}

function unknownTitles({ data_declarations, legal_bases }: DatasetBody): FieldProblem[] {
  const titles = new Set(data_declarations.map(({ title }) => title));
  return legal_bases.flatMap((basis, index) =>
    basis.data_declarations
      .filter((title) => !titles.has(title))
      .map((title) => ({
        field: `legal_bases[${String(index)}].data_declarations`,
        problem: `must contain only titles of data declarations of this dataset: ${JSON.stringify(title)} is not one`,
      })),
  );
}

function namelessPlatforms({ storages }: DatasetBody): FieldProblem[] {
  return storages.flatMap(({ platform }, index) =>
    platform ? [] : [{ field: `storages[${String(index)}].platform`, problem: 'must be the name of a platform' }],
  );
}
