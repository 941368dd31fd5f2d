import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Returns the objects of a kind in a folder of `k8s/overlays/`, or only the object with the given name. */
export function renderedObjects<T>(folder: string, kind: string, name?: string): (Named & T)[] {
  const file = join(import.meta.dirname, `../../k8s/overlays/${folder}/manifests.yaml`);
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Named & T);
  return objects.filter((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
}
