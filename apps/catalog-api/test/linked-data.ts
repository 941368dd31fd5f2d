import jsonld from 'jsonld';
import { readFileSync } from 'node:fs';
import { Parser, Store, type Quad } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';

/** A document in JSON-LD. */
export type Linked = Record<string, unknown>;

const shapes = new Store(new Parser().parse(readFileSync(new URL('dcat-ap.shapes.ttl', import.meta.url), 'utf8')));

/** Returns the statements of a document. @throws Error if reading would fetch a resource or lose a member */
export async function statementsOf(document: Linked): Promise<Quad[]> {
  const written: unknown = await jsonld.toRDF(document, {
    format: 'application/n-quads',
    safe: true,
    documentLoader: (url: string) => Promise.reject(new Error(`a reader would have to fetch ${url}`)),
  } as jsonld.Options.ToRdf);
  return new Parser({ format: 'N-Quads' }).parse(String(written));
}

/** Returns the violations of DCAT-AP as text. */
export async function violationsIn(statements: readonly Quad[]): Promise<string[]> {
  const { results } = await new SHACLValidator(shapes).validate(new Store([...statements]));
  return results.map(
    ({ focusNode, path, message }) => `${focusNode.value} ${path.value} ${message.map(({ value }) => value).join(' ')}`,
  );
}

/** Returns the sorted objects of the statements about a subject with a property. */
export function objectsOf(statements: readonly Quad[], subject: string, property: string): string[] {
  return statements
    .filter((each) => each.subject.value === subject && each.predicate.value === property)
    .map(({ object }) => object.value)
    .sort();
}
