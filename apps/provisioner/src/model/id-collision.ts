import type { Subject } from './identifier.js';
import type { SourcePlace } from './source-system.js';
import type { ImportedCaseVariant } from './storage.js';
import { isRemoval, operationOf, type ImportRequest } from './import-record.js';

/** The reason why an id cannot be imported: another subject has the same id, or one that differs only by case. */
export interface IdCollision {
  readonly message: string;
  /** Details for programs. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Describes a dataset id that occurs in several submissions. */
export function duplicateInSource(id: string, places: readonly SourcePlace[]): IdCollision {
  const submissions = places.map(({ submission }) => submission);
  const message = `${id} occurs in the submissions ${submissions.join(' and ')}. A dataset id must occur in one submission only.`;
  return { message, details: { submissions } };
}

/** Describes a place in the source whose id differs only by case from ids of other places in the source. */
export function caseVariantsInSource(place: SourcePlace, variants: readonly SourcePlace[]): IdCollision {
  const others = variants.map(nameOf).join(' and ');
  const message = `${nameOf(place)} differs only by case from ${others}. Rename or remove all but one in the source.`;
  const all = [place, ...variants];
  return { message, details: { ids: all.map(({ id }) => id), submissions: all.map(({ submission }) => submission) } };
}

/** Describes an id that differs only by case from the id of an imported subject. */
export function caseVariantInStorage({ kind, id }: Subject, { commit, path }: ImportedCaseVariant): IdCollision {
  const alternative = kind === 'dataset' ? `, or withdraw ${commit.id}` : '';
  const message = `${id} differs only by case from ${commit.id}, which import ${commit.import_id} stored at ${path}. Rename ${id} in the source${alternative}.`;
  return { message, details: { id: commit.id, import_id: commit.import_id } };
}

/** Describes an id that differs only by case from the id of a subject that is being imported or withdrawn. */
export function caseVariantUnderWay(id: string, { kind, subject, id: importId }: ImportRequest): IdCollision {
  const [operation, remedy] = isRemoval(kind)
    ? [operationOf(kind), `Repeat the request after the ${operationOf(kind)} has ended`]
    : ['import', `Rename ${id} in the source, or cancel the import`];
  const message = `${id} differs only by case from ${subject.id}, whose ${operation} ${importId} is in progress. ${remedy}.`;
  return { message, details: { id: subject.id, import_id: importId } };
}

function nameOf({ kind, submission, id }: SourcePlace): string {
  return kind === 'dataset' ? `${id} in ${submission}` : `the submission ${id}`;
}
