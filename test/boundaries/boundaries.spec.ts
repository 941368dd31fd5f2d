import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { layers } from '../../layers.ts';
import type { Probe } from './lint-imports.ts';

const inCatalog = 'apps/catalog-api/src/probe.ts';
const inProvisioner = 'apps/provisioner/src/probe.ts';

const allowed: readonly Probe[] = [
  { file: inCatalog, code: `import { AddressList } from '@rdc/auth'; new AddressList([]);` },
  { file: 'libs/auth/src/probe.ts', code: `export { AppError } from '@rdc/errors';` },
  { file: 'libs/http/src/probe.ts', code: `export { AddressList } from '@rdc/auth';` },
  { file: 'libs/http/src/probe.ts', code: `export { loadSettings } from '@rdc/settings';` },
  { file: inProvisioner, code: `import type { Bucket } from './s3/bucket.js';` },
  { file: inProvisioner, code: `await import('./s3/s3-location.js');` },
  { file: 'apps/provisioner/src/storage/s3/probe.ts', code: `export { Bucket } from '../../s3/bucket.js';` },
  { file: 'apps/provisioner/src/s3/probe.ts', code: `export { S3Client } from '@aws-sdk/client-s3';` },
];

const denied: readonly Probe[] = [
  { file: inProvisioner, code: `import { startServer } from '../../catalog-api/src/server.js'; startServer;` },
  { file: inProvisioner, code: `import type { AppModule } from '../../catalog-api/src/app.module.js';` },
  { file: inProvisioner, code: `export * from '../../catalog-api/src/server.js';` },
  { file: inProvisioner, code: `await import('../../catalog-api/src/server.js');` },
  { file: inProvisioner, code: `import { S3Client } from '@aws-sdk/client-s3'; new S3Client();` },
  { file: inProvisioner, code: `export * from './s3/s3-location.js';` },
  { file: 'apps/provisioner/src/storage/probe.ts', code: `export { S3Storage } from './s3/s3-storage.js';` },
  { file: 'libs/auth/src/probe.ts', code: `export * from '../../../apps/catalog-api/src/server.js';` },
  { file: 'libs/errors/src/probe.ts', code: `export { AddressList } from '@rdc/auth';` },
  { file: 'libs/errors/src/probe.ts', code: `export { AddressList } from '../../auth/src/index.js';` },
  { file: 'libs/auth/src/probe.ts', code: `export { createApp } from '@rdc/http';` },
  { file: 'libs/settings/src/probe.ts', code: `export { createApp } from '@rdc/http';` },
];

const sourceOf = (app: string): string => `apps/${app}/src`;

/** Returns the TypeScript files of a folder, those of its subfolders included. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/\.d\.ts$/.test(file))
    .map((file) => join(folder, file));
}

/** An import from a folder of one layer into a file of another layer. */
function importInto(app: string, importer: string, imported: string): Probe {
  const [target = ''] = filesIn(`${sourceOf(app)}/${imported}`);
  const path = target.slice(sourceOf(app).length + 1).replace(/\.ts$/, '.js');
  return { file: `${sourceOf(app)}/${importer}/probe.ts`, code: `import type * as Target from '../${path}';` };
}

interface Direction {
  readonly app: string;
  readonly importer: string;
  readonly imported: string;
  readonly isDown: boolean;
}

/** Every pair of folders of one application. */
const directions: readonly Direction[] = Object.entries(layers).flatMap(([app, rows]) =>
  rows.flatMap((row, from) =>
    row.flatMap((importer) =>
      rows.flatMap((others, to) =>
        others
          .filter((imported) => imported !== importer)
          .map((imported) => ({ app, importer, imported, isDown: to > from })),
      ),
    ),
  ),
);

const probesOf = (isDown: boolean): Probe[] =>
  directions
    .filter((direction) => direction.isDown === isDown)
    .map(({ app, importer, imported }) => importInto(app, importer, imported));

describe('the lint rule about imports', () => {
  it('should accept every allowed import and report every denied import', () => {
    const accepted = [...allowed, ...probesOf(true)];
    const probes = [...accepted, ...denied, ...probesOf(false)];
    const options = { input: JSON.stringify(probes), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['test/boundaries/lint-imports.ts'], options);
    expect(stderr).toBe('');
    const messages = JSON.parse(stdout) as string[][];
    expect(probes.filter((_, index) => messages[index]?.length === 0)).toEqual(accepted);
  });

  it.each(Object.entries(layers))('should place every folder of %s in exactly one layer', (app, rows) => {
    const folders = new Set(filesIn(sourceOf(app)).map((file) => file.split('/').slice(3, -1)[0] ?? ''));
    folders.delete('');
    expect(rows.flat().sort()).toEqual([...folders].sort());
  });
});
