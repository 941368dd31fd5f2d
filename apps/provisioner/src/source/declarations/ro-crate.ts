import { algorithms, isDigest } from './algorithms.js';
import { CrateProperties } from './crate-properties.js';
import { isInside, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { ElementFaults } from './element-faults.js';
import { DescriptorError, JsonDocument, quoted } from './json-document.js';

/** The descriptor of an RO-Crate. */
export const roCrateFile = 'ro-crate-metadata.json';

const list = '@graph';

type Entity = Readonly<Record<string, unknown>>;

/** Adds the files of an RO-Crate with their digests and sizes, and its title, to the declarations. */
export class RoCrateReader implements DescriptorReader {
  private readonly document: JsonDocument;
  private readonly into: Declarations;
  private readonly properties = new CrateProperties();
  private hasGraph = false;

  constructor(into: Declarations) {
    this.into = into;
    const faults = new ElementFaults(into, roCrateFile, 'entity');
    this.document = new JsonDocument({
      ...{ list, texts: [] },
      member: (name, kind) => {
        if (name !== list) return;
        if (kind !== 'array') throw new DescriptorError(`its ${list} must be a list`);
        this.hasGraph = true;
      },
      text: () => undefined,
      element: (entity, index) => {
        faults.run(index, () => {
          this.addEntity(entity);
        });
      },
    });
  }

  write(bytes: Uint8Array): void {
    this.document.write(bytes);
  }

  end(): void {
    this.document.end();
    if (!this.hasGraph) throw new DescriptorError(`it must have a ${list}`);
    for (const { path, algorithm, digest } of this.properties.digests())
      this.into.addChecksum(path, algorithm, digest, roCrateFile);
  }

  private addEntity(entity: unknown): void {
    if (!isObject(entity)) throw new DescriptorError('an entity must be an object');
    const { '@id': id, '@type': type, hasPart } = entity;
    if (typeof id !== 'string') throw new DescriptorError('the @id of an entity must be a text');
    if (type !== undefined && !listOf(type).every((each) => typeof each === 'string'))
      throw new DescriptorError(`the @type of ${quoted(id)} must be a text or a list of texts`);
    if (hasPart !== undefined && !listOf(hasPart).every(isReference))
      throw new DescriptorError(`the hasPart of ${quoted(id)} must be a list of objects with an @id`);
    if (id === './') this.addTitle(entity['name']);
    this.properties.addValue(id, entity);
    if (listOf(type).includes('File')) this.addFile(id, entity);
  }

  /** Adds the title. JSON-LD also allows a title with a language, and several titles, of which the first is used. */
  private addTitle(name: unknown): void {
    if (name === undefined) return;
    const [first] = listOf(name);
    const title = isObject(first) ? first['@value'] : first;
    if (typeof title !== 'string') throw new DescriptorError('its name must be a text');
    this.into.addTitle(title, roCrateFile, 'name');
  }

  private addFile(id: string, entity: Entity): void {
    // An entity may also be a file on the web.
    if (/^[a-z][a-z0-9+.-]*:/i.test(id)) return;
    const path = pathOf(id);
    if (path === null || !isInside(path))
      throw new DescriptorError(`the path of the file ${quoted(id)} must be inside the crate`);
    this.into.files.add(path);
    this.properties.addFile(path, listOf(entity['additionalProperty']));
    for (const algorithm of algorithms) {
      const digest = entity[algorithm];
      if (digest === undefined) continue;
      if (typeof digest !== 'string' || !isDigest(digest, algorithm))
        throw new DescriptorError(`the ${algorithm} of ${quoted(id)} must be a hexadecimal ${algorithm} digest`);
      this.into.addChecksum(path, algorithm, digest, roCrateFile);
    }
    this.addSize(path, entity['contentSize']);
  }

  /** Adds a size. Schema.org also allows a text with a unit, such as `12 kB`, which is ignored. */
  private addSize(path: string, contentSize: unknown): void {
    if (contentSize === undefined) return;
    if (typeof contentSize !== 'string' && typeof contentSize !== 'number')
      throw new DescriptorError(`the contentSize of ${quoted(path)} must be a text or a number`);
    const size = Number(contentSize);
    if (contentSize !== '' && Number.isSafeInteger(size)) this.into.files.addSize(path, size);
  }
}

function isObject(value: unknown): value is Entity {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isReference(value: unknown): boolean {
  return isObject(value) && typeof value['@id'] === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function pathOf(id: string): string | null {
  try {
    return decodeURIComponent(id.replace(/^\.\//, ''));
  } catch {
    return null;
  }
}
