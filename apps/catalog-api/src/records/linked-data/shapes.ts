import { UsageError } from '@rdc/cli';
import { Parser, Store, type Quad } from 'n3';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The shapes of DCAT-AP and HealthDCAT-AP that belong to the catalog. */
export const ownShapes = {
  'DCAT-AP': fileURLToPath(new URL('shapes/dcat-ap.ttl', import.meta.url)),
  'HealthDCAT-AP': fileURLToPath(new URL('shapes/health-dcat-ap.ttl', import.meta.url)),
} as const;

const isShapes = /\.(ttl|nt)$/;
const shacl = 'http://www.w3.org/ns/shacl#';

/**
 * Reads SHACL shapes from files in Turtle or N-Triples, and from the folders that contain such files. Statements of
 * `owl:imports` are ignored: nothing is fetched.
 *
 * @throws UsageError if a file cannot be read, or the files contain no shape with a target
 */
export async function readShapes(paths: readonly string[]): Promise<Store> {
  const shapes = new Store();
  for (const path of (await Promise.all(paths.map(filesAt))).flat()) shapes.addQuads(await quadsIn(path));
  const targets = ['targetClass', 'targetNode', 'targetSubjectsOf', 'targetObjectsOf'];
  if (!targets.some((target) => shapes.countQuads(null, `${shacl}${target}`, null, null) > 0)) {
    throw new UsageError(`--shapes: ${paths.join(', ')} must contain at least one shape with a target.`);
  }
  return shapes;
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: true });
    return names
      .filter((name) => isShapes.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function quadsIn(path: string): Promise<Quad[]> {
  try {
    return new Parser({ baseIRI: pathToFileURL(path).href }).parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): UsageError {
  const reason = (cause as Error).message;
  return new UsageError(`--shapes: ${path} must be a readable file in Turtle or N-Triples: ${reason}`, { cause });
}
