import base from './jest.config.js';

/** The suites that need Debian's nginx: `npm run test:nginx`. They fail if nginx is missing. */
export default {
  ...base,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/**/*.nginx.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
