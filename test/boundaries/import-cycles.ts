import { join } from 'node:path';
import ts from 'typescript';

/**
 * Returns the import cycles among files, each as the paths from a file back to itself. Imports of types count,
 * because a reader who wants to understand one file of a cycle has to read all of them.
 *
 * @param sources the text of each file by its path
 */
export function importCycles(sources: ReadonlyMap<string, string>): string[][] {
  const cycles: string[][] = [];
  const visited = new Set<string>();
  const visit = (file: string, importers: readonly string[]): void => {
    const path = [...importers, file];
    if (importers.includes(file)) cycles.push(path.slice(importers.indexOf(file)));
    if (visited.has(file)) return;
    visited.add(file);
    for (const imported of importsOf(file, sources)) visit(imported, path);
  };
  for (const file of sources.keys()) visit(file, []);
  return cycles;
}

function importsOf(file: string, sources: ReadonlyMap<string, string>): string[] {
  const { importedFiles } = ts.preProcessFile(sources.get(file) ?? '');
  return importedFiles.flatMap(({ fileName }) => {
    const path = fileName.startsWith('@rdc/') ? `libs/${fileName.slice(5)}/src/index.js` : join(file, '..', fileName);
    return [path, path.replace(/\.js$/, '.ts')].filter((each) => sources.has(each));
  });
}
