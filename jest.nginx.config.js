import { project, run } from './jest.base.js';

/** The suites that need Debian's nginx: `npm run test:nginx`. They fail if nginx is missing. */
export default {
  ...run,
  ...project,
  testMatch: ['<rootDir>/test/**/*.nginx.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
