import { project, run, withPostgres } from './jest.base.js';

/**
 * The fault suites, run by `npm run test:faults`: processes are killed and halted, disks fill up, system calls fail.
 * The suites `*.root.spec.ts` mount file systems and trace processes; they run for root only. Faults of buckets are
 * tested by `npm run test:s3`. `SOAK_MINUTES=120 npm run test:faults -- soak` causes faults at random for 120 minutes.
 */
export default {
  ...run,
  ...project,
  ...withPostgres,
  maxWorkers: 3, // they wait more than they compute
  testMatch: ['<rootDir>/{apps/provisioner/test,test}/faults/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '\\.s3\\.spec\\.ts$',
    ...(process.getuid?.() === 0 ? [] : ['\\.root\\.spec\\.ts$']),
    ...(process.env.SOAK_MINUTES === undefined ? ['/soak\\.spec\\.ts$'] : []),
  ],
};
