import { InvalidInputError, UnknownRecordError, type FieldProblem } from '@rdc/errors';
import { TimeSlice } from '@rdc/http';
import { DocumentValidator } from '../schemas/document-validator.js';
import { normalForm } from '../schemas/normal-form.js';
import type { RecordBody, RecordKind } from './record-kind.js';

const validators = new WeakMap<Pick<RecordKind, 'schema'>, DocumentValidator>();

/** The check of documents of a kind. */
function validatorOf(kind: Pick<RecordKind, 'schema'>): DocumentValidator {
  const known = validators.get(kind) ?? new DocumentValidator(kind.schema);
  validators.set(kind, known);
  return known;
}

/** Returns a document that a caller sent, in normal form. @throws InvalidInputError with all problems */
export async function checked<Body extends RecordBody>(kind: RecordKind<Body>, document: unknown): Promise<Body> {
  const read = await readDocument(kind, asObject(document));
  if ('problems' in read) throw new InvalidInputError(read.problems);
  return read.body;
}

/** Returns a document in normal form, or all its problems. Between the steps other requests are answered: 16 MB take long. */
export async function readDocument<Body extends RecordBody>(
  kind: RecordKind<Body>,
  document: unknown,
): Promise<{ body: Body } | { problems: FieldProblem[] }> {
  const slice = new TimeSlice();
  const misfits = validatorOf(kind).problemsOf(document);
  if (misfits.length > 0) return { problems: misfits };
  if (slice.isSpent) await slice.next();
  const body = bodyOf(kind, document);
  const problems = kind.check?.(body) ?? [];
  return problems.length > 0 ? { problems } : { body };
}

/** The document that a PATCH makes of a record's. */
export function merged(kind: Pick<RecordKind, 'overridden'>, body: object, patch: object): object {
  const taken = Object.entries(kind.overridden ?? {}).filter(([first, second]) => first in patch && !(second in patch));
  return { ...body, ...Object.fromEntries(taken.map(([, second]) => [second, null])), ...patch };
}

/** @throws InvalidInputError unless a body is an object */
export function asObject(document: unknown): object {
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document;
  throw new InvalidInputError([{ field: '', problem: 'The body must be a JSON object' }]);
}

/** A document that makes a record at a path has the accession of the path. */
export function underAccession<Body extends RecordBody>(kind: RecordKind<Body>, body: Body, pathId: string): Body {
  if (/^\d+$/.test(pathId) || kind.accession === 'never') throw new UnknownRecordError(kind.word, pathId);
  const problems = validatorOf(kind).problemsOf({ ...body, external_id: pathId });
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (body.external_id && body.external_id !== pathId) {
    throw new InvalidInputError([
      { field: 'external_id', problem: `must be ${JSON.stringify(pathId)}, as in the path` },
    ]);
  }
  return { ...body, external_id: pathId };
}

/** A document in normal form. It must fit the schema. */
export function bodyOf<Body extends RecordBody>(kind: RecordKind<Body>, document: unknown): Body {
  const body = normalForm(kind.schema, document) as Body;
  return kind.normalize?.(body) ?? body;
}
