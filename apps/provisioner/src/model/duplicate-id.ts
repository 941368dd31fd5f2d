import type { Subject } from './identifier.js';
import type { SourcePlace } from './source-system.js';
import type { ImportedCaseVariant } from './storage.js';
import type { ImportRequest } from './import-record.js';

/** Why an id cannot be imported that is another's too, or another's but for case. */
export interface IdCollision {
  readonly message: string;
  /** For programs. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Several submissions hold a dataset of the very same id. */
export function duplicateInSource(id: string, places: readonly SourcePlace[]): IdCollision {
  const submissions = places.map(({ submission }) => submission);
  const message = `${id} is in ${submissions.join(' and ')}; an id must be in one submission only.`;
  return { message, details: { submissions } };
}

/** The source holds twins of a place. */
export function caseVariantsInSource(place: SourcePlace, twins: readonly SourcePlace[]): IdCollision {
  const others = twins.map(shown).join(' and ');
  const message = `${shown(place)} differs by case only from ${others}; leave one of them in the source, or rename it.`;
  const all = [place, ...twins];
  return { message, details: { ids: all.map(({ id }) => id), submissions: all.map(({ submission }) => submission) } };
}

/** A twin is imported. */
export function caseVariantInStorage({ kind, id }: Subject, { commit, path }: ImportedCaseVariant): IdCollision {
  const wayOut = kind === 'dataset' ? `, or withdraw ${commit.id} before` : '';
  const message = `${id} differs by case only from ${commit.id}, which import ${commit.import_id} has put at ${path}; rename ${id} in the source${wayOut}.`;
  return { message, details: { id: commit.id, import_id: commit.import_id } };
}

/** A twin is being imported or withdrawn. */
export function caseVariantUnderWay(id: string, { kind, subject, id: importId }: ImportRequest): IdCollision {
  const [what, wayOut] =
    kind === 'withdraw'
      ? ['withdrawal', 'ask again once that has ended']
      : ['import', `rename ${id} in the source, or cancel that import`];
  const message = `${id} differs by case only from ${subject}, whose ${what} ${importId} is under way; ${wayOut}.`;
  return { message, details: { id: subject, import_id: importId } };
}

function shown({ kind, submission, id }: SourcePlace): string {
  return kind === 'dataset' ? `${id} in ${submission}` : `the submission ${id}`;
}
