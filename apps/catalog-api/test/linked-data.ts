import jsonld from 'jsonld';
import { readFileSync } from 'node:fs';
import { Parser, Store, type Quad } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';
import { ownShapes } from '../src/records/linked-data/shapes.js';

/** A document in JSON-LD. */
export type Linked = Record<string, unknown>;

const shapesOf = (file: string): Store => new Store(new Parser().parse(readFileSync(file, 'utf8')));

const profiles = {
  'DCAT-AP': shapesOf(ownShapes['DCAT-AP']),
  'HealthDCAT-AP': shapesOf(ownShapes['HealthDCAT-AP']),
} as const;

/** Returns the statements of a document. @throws Error if reading would fetch a resource or lose a member */
export async function statementsOf(document: Linked): Promise<Quad[]> {
  const written: unknown = await jsonld.toRDF(document, {
    format: 'application/n-quads',
    safe: true,
    documentLoader: (url: string) => Promise.reject(new Error(`a reader would have to fetch ${url}`)),
  } as jsonld.Options.ToRdf);
  return new Parser({ format: 'N-Quads' }).parse(String(written));
}

/** Returns the violations of an application profile as text. */
export async function violationsIn(
  statements: readonly Quad[],
  profile: keyof typeof profiles = 'DCAT-AP',
): Promise<string[]> {
  const { results } = await new SHACLValidator(profiles[profile]).validate(new Store([...statements]));
  return results.map(
    ({ focusNode, path, message }) =>
      `${focusNode.value} ${pathOf(path)} ${message.map(({ value }) => value).join(' ')}`,
  );
}

/** Returns the property of a violation. A violation of a whole node has no property, contrary to the type. */
function pathOf(path: { readonly value: string } | null): string {
  return path?.value ?? '';
}

/** Returns the sorted objects of the statements about a subject with a property. */
export function objectsOf(statements: readonly Quad[], subject: string, property: string): string[] {
  return statements
    .filter((each) => each.subject.value === subject && each.predicate.value === property)
    .map(({ object }) => object.value)
    .sort();
}
