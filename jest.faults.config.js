import { project, run, withPostgres } from './jest.base.js';

/**
 * The suites that break things: processes are killed and halted, disks fill, system calls fail. `npm run test:faults`.
 * Those named `*.root.spec.ts` mount and trace, and run for root only. Buckets are broken in `npm run test:s3`.
 * `SOAK_MINUTES=120 npm run test:faults -- soak` makes faults at random for so long.
 */
export default {
  ...run,
  ...project,
  ...withPostgres,
  testTimeout: 120_000,
  maxWorkers: 2, // they wait more than they compute
  testMatch: ['<rootDir>/{apps/provisioner/test,test}/faults/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '\\.s3\\.spec\\.ts$',
    ...(process.getuid?.() === 0 ? [] : ['\\.root\\.spec\\.ts$']),
    ...(process.env.SOAK_MINUTES === undefined ? ['/soak\\.spec\\.ts$'] : []),
  ],
};
