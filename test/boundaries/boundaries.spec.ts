import { spawnSync } from 'node:child_process';
import type { Probe } from './lint-imports.ts';

const inCatalog = 'apps/catalog-api/src/probe.ts';
const inProvisioner = 'apps/provisioner/src/probe.ts';

const allowed: readonly Probe[] = [
  { file: inCatalog, code: `import { catalogSettings } from './settings.js'; catalogSettings();` },
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
  {
    file: inProvisioner,
    code: `import { catalogSettings } from '../../catalog-api/src/settings.js'; catalogSettings();`,
  },
  { file: inProvisioner, code: `import type { CatalogSettings } from '../../catalog-api/src/settings.js';` },
  { file: inProvisioner, code: `export * from '../../catalog-api/src/settings.js';` },
  { file: inProvisioner, code: `await import('../../catalog-api/src/settings.js');` },
  { file: inProvisioner, code: `import { S3Client } from '@aws-sdk/client-s3'; new S3Client();` },
  { file: inProvisioner, code: `export * from './s3/s3-location.js';` },
  { file: 'apps/provisioner/src/storage/probe.ts', code: `export { S3Storage } from './s3/s3-storage.js';` },
  { file: 'libs/auth/src/probe.ts', code: `export * from '../../../apps/catalog-api/src/settings.js';` },
  { file: 'libs/errors/src/probe.ts', code: `export { AddressList } from '@rdc/auth';` },
  { file: 'libs/errors/src/probe.ts', code: `export { AddressList } from '../../auth/src/index.js';` },
  { file: 'libs/auth/src/probe.ts', code: `export { createApp } from '@rdc/http';` },
  { file: 'libs/settings/src/probe.ts', code: `export { createApp } from '@rdc/http';` },
];

describe('the rule who may import whom', () => {
  it('should let through what is allowed and stop everything else', () => {
    const probes = [...allowed, ...denied];
    const options = { input: JSON.stringify(probes), encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['test/boundaries/lint-imports.ts'], options);
    expect(stderr).toBe('');
    const messages = JSON.parse(stdout) as string[][];
    expect(probes.filter((_, index) => messages[index]?.length === 0)).toEqual(allowed);
  });
});
