import { project, run } from './jest.base.js';

/** The suites that need a real Ceph, from Debian's packages: `npm run test:s3`. */
export default {
  ...run,
  ...project,
  maxWorkers: 2, // they wait more than they compute
  globalSetup: '<rootDir>/test/support/s3.setup.ts',
  globalTeardown: '<rootDir>/test/support/s3.teardown.ts',
  testMatch: ['<rootDir>/{apps,libs,scripts,test}/**/*.s3.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
