import { fileURLToPath } from 'node:url';

/** The `NODE_OPTIONS` of a process that records the modules that it loads. */
export const noteLoaded = `--import ${fileURLToPath(new URL('note-loaded.ts', import.meta.url))}`;

/** Returns the sorted scopes of the recorded modules, such as `@aws-sdk`. @param output the output of the process */
export function loadedBy(output: string): readonly string[] {
  return [
    ...new Set(Array.from(output.matchAll(/^loaded .*?\/node_modules\/([^/]+)\//gm), ([, scope = '']) => scope)),
  ].sort();
}
