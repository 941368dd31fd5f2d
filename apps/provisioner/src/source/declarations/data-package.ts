import { algorithmOf, isDigest } from './algorithms.js';
import { isInside, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { ElementFaults } from './element-faults.js';
import { DescriptorError, JsonDocument, quoted, type JsonKind } from './json-document.js';

/** The descriptors of a Frictionless data package. */
export const dataPackageFile = 'datapackage.json';
export const dataPackageYaml = 'datapackage.yaml';

const list = 'resources';

/** Adds sizes, digests and the title of a Frictionless data package (v1 and v2) to the declarations. */
export class DataPackageReader implements DescriptorReader {
  private readonly document: JsonDocument;
  private readonly into: Declarations;
  private readonly name: string;
  private hasResources = false;

  /** @param name the name of the descriptor */
  constructor(into: Declarations, name = dataPackageFile) {
    this.into = into;
    this.name = name;
    const faults = new ElementFaults(into, name, 'resource');
    this.document = new JsonDocument({
      ...{ list, texts: ['title'] },
      member: (name, kind) => {
        this.checkMember(name, kind);
      },
      text: (member, title) => {
        into.addTitle(title, name, member);
      },
      element: (resource, index) => {
        faults.run(index, () => {
          this.addResource(resource);
        });
      },
    });
  }

  write(bytes: Uint8Array): void {
    this.document.write(bytes);
  }

  end(): void {
    this.document.end();
    if (!this.hasResources) throw new DescriptorError('it must have a list of resources');
  }

  private checkMember(name: string, kind: JsonKind): void {
    if (name === 'title' && kind !== 'string') throw new DescriptorError('its title must be a text');
    if (name !== list) return;
    if (kind !== 'array') throw new DescriptorError('its resources must be a list');
    this.hasResources = true;
  }

  private addResource(resource: unknown): void {
    if (resource === null || typeof resource !== 'object' || Array.isArray(resource))
      throw new DescriptorError('a resource must be an object');
    const { path, data, bytes, hash } = resource as Record<string, unknown>;
    if (path === undefined && data === undefined) throw new DescriptorError('a resource must have a path or data');
    if (bytes !== undefined && !isSize(bytes))
      throw new DescriptorError(`the bytes of a resource must be a whole number and are ${quoted(bytes)}`);
    if (hash !== undefined && typeof hash !== 'string')
      throw new DescriptorError(`the hash of a resource must be a text and is ${quoted(hash)}`);
    if (path !== undefined) this.addPaths(pathsOf(path), bytes, hash);
  }

  private addPaths(paths: readonly string[], bytes: number | undefined, hash: string | undefined): void {
    const { files } = this.into;
    const [only, ...more] = paths;
    for (const each of paths) if (!isUrl(each)) files.add(each);
    if (only === undefined || more.length > 0 || isUrl(only)) return;
    if (bytes !== undefined) files.addSize(only, bytes);
    if (hash !== undefined) this.addHash(only, hash);
  }

  /** Adds a digest. By the specification, a digest without a prefix is an MD5. */
  private addHash(path: string, hash: string): void {
    const [digest = '', prefix = 'md5'] = hash.split(':').reverse();
    const algorithm = algorithmOf(prefix);
    if (!algorithm) {
      this.into.notCompared(this.name, `the hash of ${quoted(path)} has an algorithm that is not supported`);
      return;
    }
    if (!isDigest(digest, algorithm))
      throw new DescriptorError(`the hash of ${quoted(path)} must be a hexadecimal ${algorithm} digest`);
    this.into.addChecksum(path, algorithm, digest, this.name);
  }
}

function pathsOf(path: unknown): readonly string[] {
  const paths: unknown[] = Array.isArray(path) ? path : [path];
  if (paths.length === 0) throw new DescriptorError('the path of a resource must not be an empty list');
  return paths.map((each) => {
    if (typeof each !== 'string')
      throw new DescriptorError(`the path of a resource must be a text and is ${quoted(each)}`);
    if (isUrl(each)) return each;
    const inside = each.replace(/^(?:\.\/+)+/, '');
    if (!isInside(inside)) throw new DescriptorError(`the path ${quoted(each)} must be inside the package`);
    return inside;
  });
}

function isSize(bytes: unknown): bytes is number {
  return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0;
}

function isUrl(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}
