import { NotAcceptableError } from '@rdc/errors';
import Negotiator from 'negotiator';
import { linkedDataType } from '../../publishing/schemas/read-responses.decorator.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { xmlHead, xmlOf, xmlTail } from './rdf-xml.js';
import type { Statement } from './statements.js';
import { turtleHead, turtleOf } from './turtle.js';

/** A representation of a record or a list other than JSON-LD. */
export interface Representation {
  /** The end of the entity tags of the representation, because a tag identifies one representation. */
  readonly suffix: string;
  readonly contentType: string;
}

/** A format of RDF other than JSON-LD. */
export interface RdfFormat extends Representation {
  readonly head: string;
  readonly tail: string;
  readonly write: (statements: readonly Statement[]) => string;
}

const formats: Readonly<Record<string, RdfFormat>> = {
  'text/turtle': {
    suffix: '.ttl',
    contentType: 'text/turtle; charset=utf-8',
    head: turtleHead,
    tail: '',
    write: turtleOf,
  },
  'application/rdf+xml': {
    suffix: '.rdf',
    contentType: 'application/rdf+xml; charset=utf-8',
    head: xmlHead,
    tail: xmlTail,
    write: xmlOf,
  },
};

/** The media types of the public catalog. The first is the default. */
export const rdfTypes = [linkedDataType, ...Object.keys(formats), 'application/json'];

/**
 * Returns the format that a caller prefers, or undefined for JSON-LD.
 *
 * @throws NotAcceptableError if the caller accepts no format of the catalog
 */
export function rdfFormatOf(accept: string | undefined): RdfFormat | undefined {
  const [preferred] = new Negotiator({ headers: { accept: accept?.toLowerCase() } }).mediaTypes(rdfTypes);
  if (preferred === undefined) throw new NotAcceptableError(rdfTypes);
  return formats[preferred];
}

/** Returns whether a caller prefers a page for people to every format of linked data. */
export function prefersPage(accept: string | undefined): boolean {
  const types = [...rdfTypes, 'text/html'];
  return new Negotiator({ headers: { accept: accept?.toLowerCase() } }).mediaType(types) === 'text/html';
}

/** Returns conditions whose tags are those of the stored document, from which a format is converted. */
export function plainConditions(format: Representation, conditions: ReadConditions): ReadConditions {
  const ifNoneMatch = conditions.ifNoneMatch.flatMap((tag) => {
    if (tag === '*') return [tag];
    return tag.endsWith(`${format.suffix}"`) ? [`${tag.slice(0, -format.suffix.length - 1)}"`] : [];
  });
  return { ...conditions, ifNoneMatch };
}

/** Returns a converted response with the tag and the media type of its format. */
export function withFormat<Response extends StoredDocument | StreamedList>(
  format: Representation,
  response: Response,
): Response {
  const etag = `${response.etag.slice(0, -1)}${format.suffix}"`;
  return { ...response, etag, headers: { ...response.headers, 'Content-Type': format.contentType } };
}
