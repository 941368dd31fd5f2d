import { project, run, withPostgres } from './jest.base.js';

/** The suites that use the console in a real Chromium, of Debian's package `chromium`: `npm run test:browser`. */
export default {
  ...run,
  ...project,
  ...withPostgres,
  maxWorkers: 1, // a browser, two services and a worker keep a small machine busy
  testMatch: ['<rootDir>/test/browser/**/*.browser.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
