import { project, run } from './jest.base.js';

/** The suites that need a real Keycloak, and so a JDK and Maven: `npm run test:keycloak`. */
export default {
  ...run,
  ...project,
  maxWorkers: 1, // one Keycloak, whose accounts they count
  globalSetup: '<rootDir>/test/support/keycloak.setup.ts',
  globalTeardown: '<rootDir>/test/support/keycloak.teardown.ts',
  testMatch: ['<rootDir>/{apps,libs,scripts,test}/**/*.keycloak.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
