import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { layers } from '../../layers.ts';
import type { Probe } from './lint-imports.ts';

const inCatalog = 'apps/catalog-api/src/probe.ts';
const inProvisioner = 'apps/provisioner/src/probe.ts';

const allowed: readonly Probe[] = [
  { file: inCatalog, lines: [`import { AddressList } from '@rdc/auth'; new AddressList([]);`] },
  { file: 'libs/auth/src/probe.ts', lines: [`export { AppError } from '@rdc/errors';`] },
  { file: 'libs/http/src/probe.ts', lines: [`export { AddressList } from '@rdc/auth';`] },
  { file: 'libs/http/src/probe.ts', lines: [`export { loadSettings } from '@rdc/settings';`] },
  { file: inProvisioner, lines: [`import type { Bucket } from './s3/bucket.js';`] },
  { file: inProvisioner, lines: [`await import('./s3/s3-location.js');`] },
  { file: 'apps/provisioner/src/storage/s3/probe.ts', lines: [`export { Bucket } from '../../s3/bucket.js';`] },
  { file: 'apps/provisioner/src/s3/probe.ts', lines: [`export { S3Client } from '@aws-sdk/client-s3';`] },
];

const denied: readonly Probe[] = [
  { file: inProvisioner, lines: [`import { startServer } from '../../catalog-api/src/app/server.js'; startServer;`] },
  { file: inProvisioner, lines: [`import type { AppModule } from '../../catalog-api/src/app/app.module.js';`] },
  { file: inProvisioner, lines: [`export * from '../../catalog-api/src/app/server.js';`] },
  { file: inProvisioner, lines: [`await import('../../catalog-api/src/app/server.js');`] },
  { file: inProvisioner, lines: [`import { S3Client } from '@aws-sdk/client-s3'; new S3Client();`] },
  { file: inProvisioner, lines: [`export * from './s3/s3-location.js';`] },
  { file: 'apps/provisioner/src/storage/probe.ts', lines: [`export { S3Storage } from './s3/s3-storage.js';`] },
  { file: 'libs/auth/src/probe.ts', lines: [`export * from '../../../apps/catalog-api/src/app/server.js';`] },
  { file: 'libs/errors/src/probe.ts', lines: [`export { AddressList } from '@rdc/auth';`] },
  { file: 'libs/errors/src/probe.ts', lines: [`export { AddressList } from '../../auth/src/index.js';`] },
  { file: 'libs/auth/src/probe.ts', lines: [`export { createApp } from '@rdc/http';`] },
  { file: 'libs/settings/src/probe.ts', lines: [`export { createApp } from '@rdc/http';`] },
];

const sourceOf = (app: string): string => `apps/${app}/src`;

/** Returns the TypeScript files of an application without the tests. */
function sourcesOf(app: string): string[] {
  return readdirSync(sourceOf(app), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.endsWith('.d.ts'))
    .map((file) => join(sourceOf(app), file));
}

/** Returns the folder of `layers` that a file belongs to, or `''` for an entry point. */
function folderOf(app: string, file: string): string {
  const parts = dirname(relative(sourceOf(app), file)).split('/');
  return parts
    .slice(0, app === 'catalog-api' ? 2 : 1)
    .join('/')
    .replace('.', '');
}

/** Returns a probe with imports from one folder into files of other folders. */
function importsInto(app: string, importer: string, imported: readonly string[]): Probe {
  const file = join(sourceOf(app), importer, 'probe.ts');
  const files = sourcesOf(app);
  const lines = imported.map((folder) => {
    const target = files.find((each) => folderOf(app, each) === folder) ?? '';
    const path = relative(dirname(file), target).replace(/\.ts$/, '.js');
    return `import type * as Target from '${path.startsWith('.') ? path : `./${path}`}';`;
  });
  return { file, lines };
}

/** Returns, for every folder, a probe with imports from it into all lower folders, or into all other folders. */
function probesOf(isDown: boolean): Probe[] {
  return Object.entries(layers).flatMap(([app, rows]) =>
    rows.flatMap((row, from) =>
      row.map((importer) => {
        const targets = rows.filter((_, to) => to > from === isDown).flat();
        return importsInto(
          app,
          importer,
          targets.filter((folder) => folder !== importer),
        );
      }),
    ),
  );
}

describe('the lint rule about imports', () => {
  it('should accept every allowed import and report every denied import', () => {
    const accepted = [...allowed, ...probesOf(true)];
    const refused = [...denied, ...probesOf(false)];
    const input = JSON.stringify([...accepted, ...refused]);
    const options = { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['test/boundaries/lint-imports.ts'], options);
    expect(stderr).toBe('');
    const reported = JSON.parse(stdout) as string[][];
    expect(reported).toEqual([...accepted.map(() => []), ...refused.map(({ lines }) => lines)]);
  });

  it.each(Object.entries(layers))('should place every folder of %s in exactly one layer', (app, rows) => {
    const folders = new Set(sourcesOf(app).map((file) => folderOf(app, file)));
    folders.delete('');
    expect(rows.flat().sort()).toEqual([...folders].sort());
  });
});
