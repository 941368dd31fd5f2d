import { project, run, withPostgres } from './jest.base.js';

const kinds = ['s3', 'keycloak', 'browser', 'nginx', 'python'];
const special = ['/node_modules/', '/test/faults/', `\\.(${kinds.join('|')})\\.spec\\.ts$`];
const sources = '<rootDir>/{apps/*/src,clients/*/src,libs,scripts,bench}/**';

/**
 * The suites that need nothing but npm. The file name of a suite states its project:
 *
 * - `unit`: `x.spec.ts` next to `x.ts`. Nothing is started.
 * - `integration`: `x.integration.spec.ts` next to `x.ts`. Postgres, a queue, an HTTP service, threads or files.
 * - `system`: `x.system.spec.ts`, and all suites in a folder `test`. Whole services and processes, large data, long waits.
 *
 * `npm test` runs the first two. The suites that need other programs have a configuration of their own.
 *
 * @type {import('jest').Config}
 */
export default {
  ...run,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: [`${sources}/*.spec.ts`],
      testPathIgnorePatterns: [...special, '\\.(integration|system)\\.spec\\.ts$'],
    },
    {
      ...project,
      ...withPostgres,
      displayName: 'integration',
      testMatch: [`${sources}/*.integration.spec.ts`],
      testPathIgnorePatterns: special,
    },
    {
      ...project,
      ...withPostgres,
      displayName: 'system',
      testMatch: [`${sources}/*.system.spec.ts`, '<rootDir>/{test,apps/*/test}/**/*.spec.ts'],
      testPathIgnorePatterns: special,
    },
  ],
};
