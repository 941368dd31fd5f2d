import { project, run, withPostgres } from './jest.base.js';

/** The suites that need Python and install its packages: `npm run test:python`. They fail if Python is missing. */
export default {
  ...run,
  ...project,
  ...withPostgres,
  testMatch: ['<rootDir>/{test,apps/*/test}/**/*.python.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
