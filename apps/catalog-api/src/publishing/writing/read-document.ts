import { InvalidInputError, UnknownRecordError, type FieldProblem } from '@rdc/errors';
import { TimeSlice } from '@rdc/http';
import { DocumentValidator } from '../schemas/document-validator.js';
import { normalForm } from '../schemas/normal-form.js';
import type { RecordBody, RecordKind } from './record-kind.js';

const validators = new WeakMap<Pick<RecordKind, 'schema'>, DocumentValidator>();

function validatorOf(kind: Pick<RecordKind, 'schema'>): DocumentValidator {
  const known = validators.get(kind) ?? new DocumentValidator(kind.schema);
  validators.set(kind, known);
  return known;
}

/** Returns the document of a request in normal form. @throws InvalidInputError with all problems */
export async function checked<Body extends RecordBody>(kind: RecordKind<Body>, document: unknown): Promise<Body> {
  const read = await readDocument(kind, asObject(document));
  if ('problems' in read) throw new InvalidInputError(read.problems);
  return read.body;
}

/** Returns a document in normal form, or its problems. Yields between the steps, because large documents take long. */
export async function readDocument<Body extends RecordBody>(
  kind: RecordKind<Body>,
  document: unknown,
): Promise<{ body: Body } | { problems: FieldProblem[] }> {
  const slice = new TimeSlice();
  const violations = validatorOf(kind).problemsOf(document);
  if (violations.length > 0) return { problems: violations };
  if (slice.isSpent) await slice.next();
  const body = bodyOf(kind, document);
  const problems = kind.check?.(body) ?? [];
  return problems.length > 0 ? { problems } : { body };
}

/** Returns the document that results from a PATCH. */
export function merged(kind: Pick<RecordKind, 'overridden'>, body: object, patch: object): object {
  const taken = Object.entries(kind.overridden ?? {}).filter(([first, second]) => first in patch && !(second in patch));
  return { ...body, ...Object.fromEntries(taken.map(([, second]) => [second, null])), ...patch };
}

/** @throws InvalidInputError if a body is not an object */
export function asObject(document: unknown): object {
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document;
  throw new InvalidInputError([{ field: '', problem: 'The body must be a JSON object' }]);
}

/** Returns the document of a new record with the accession of the path. @throws InvalidInputError if they conflict */
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

/** Returns a document in normal form. The document must be valid. */
export function bodyOf<Body extends RecordBody>(kind: RecordKind<Body>, document: unknown): Body {
  const body = normalForm(kind.schema, document) as Body;
  return kind.normalize?.(body) ?? body;
}
