/**
 * Layers of an application, from top to bottom. Each name is a folder of the application's `src`. A file imports from its
 * own folder and from the folders of lower layers, never from another folder of its own layer or from a higher layer.
 * Files next to the folders, such as `main.ts`, are entry points: each may import from every folder.
 *
 * The lint rule reads this list (`eslint.config.js`), and `docs/architecture.md` draws it.
 */
export const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  provisioner: [
    ['cli'],
    ['submissions', 'schedule'],
    ['datasets'],
    ['inventory', 'imports', 'import-runs', 'health'],
    ['scan', 'fixity', 'follow-ups', 'request-log', 'limits'],
    ['storage', 'source'],
    ['s3', 'copy', 'queue'],
    ['model', 'http'],
    ['posix', 'concurrency', 'process', 'settings'],
  ],
};
