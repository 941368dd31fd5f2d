import { algorithmOf, isDigest, type Algorithm } from './algorithms.js';
import { DescriptorError, quoted } from './json-document.js';

/** A digest that a property of a file states. */
interface PropertyDigest {
  readonly algorithm: Algorithm;
  readonly digest: string;
}

/**
 * Digests in the `additionalProperty` of the files of an RO-Crate: a `PropertyValue` whose name or `propertyID` is an
 * algorithm, such as `sha256`. The property is in the file's entity, or is an entity to which the file refers.
 */
export class CrateProperties {
  /** The digests of entities, by `@id`. */
  private readonly values = new Map<string, PropertyDigest>();
  private readonly references: { readonly path: string; readonly id: string }[] = [];
  private readonly direct: (PropertyDigest & { readonly path: string })[] = [];

  /** Adds an entity if it is a digest. @throws DescriptorError if its value is no digest */
  addValue(id: string, entity: Readonly<Record<string, unknown>>): void {
    const types: unknown[] = [entity['@type']].flat();
    const value = types.includes('PropertyValue') ? digestOf(entity) : null;
    if (value) this.values.set(id, value);
  }

  /** Adds the properties of a file. @throws DescriptorError if the value of a property is no digest */
  addFile(path: string, properties: readonly unknown[]): void {
    for (const property of properties) {
      if (property === null || typeof property !== 'object') continue;
      const entity = property as Readonly<Record<string, unknown>>;
      const { '@id': id } = entity;
      const value = digestOf(entity);
      if (value) this.direct.push({ path, ...value });
      else if (typeof id === 'string') this.references.push({ path, id });
    }
  }

  /** Returns the digest of each file. To be called after the last entity. */
  *digests(): Generator<PropertyDigest & { readonly path: string }> {
    yield* this.direct;
    for (const { path, id } of this.references) {
      const value = this.values.get(id);
      if (value) yield { path, ...value };
    }
  }
}

/** Returns the digest of a property; null if its name is not that of an algorithm. */
function digestOf({ name, propertyID, value }: Readonly<Record<string, unknown>>): PropertyDigest | null {
  const named = [propertyID, name].find((each) => typeof each === 'string' && algorithmIn(each) !== undefined);
  const algorithm = typeof named === 'string' ? algorithmIn(named) : undefined;
  if (algorithm === undefined) return null;
  if (typeof value === 'string' && isDigest(value, algorithm)) return { algorithm, digest: value.toLowerCase() };
  throw new DescriptorError(`the value of the property ${quoted(named)} must be a hexadecimal ${algorithm} digest`);
}

/** Returns the algorithm that a name or the last part of an address names. */
function algorithmIn(name: string): Algorithm | undefined {
  return algorithmOf(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#')) + 1));
}
