import { fileURLToPath } from 'node:url';

/** `NODE_OPTIONS` of a process that is to note what it loads. */
export const noteLoaded = `--import ${fileURLToPath(new URL('note-loaded.ts', import.meta.url))}`;

/** Of whose packages a process has noted modules, such as `@aws-sdk`, sorted. @param output all it has written */
export function loadedBy(output: string): readonly string[] {
  return [
    ...new Set(Array.from(output.matchAll(/^loaded .*?\/node_modules\/([^/]+)\//gm), ([, scope = '']) => scope)),
  ].sort();
}
