import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.exclude;
delete swc.$schema;

/** Settings of one whole run. */
export const run = {
  testTimeout: 120_000, // the tests start real servers and write thousands of rows, perhaps on a busy machine
  maxWorkers: Math.max(2, availableParallelism() - 1), // the tests wait for servers as much as they compute
  workerIdleMemoryLimit: '1GB', // a worker keeps a part of every module that its suites have loaded
};

/** Settings of every project. */
export const project = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  setupFilesAfterEnv: ['<rootDir>/test/support/test-logs.setup.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...swc }] },
  moduleNameMapper: {
    '^@rdc/(errors|settings|cli|telemetry|auth|http)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
};

/** Settings of projects whose suites use Postgres. */
export const withPostgres = {
  globalSetup: '<rootDir>/test/support/postgres.setup.ts',
  globalTeardown: '<rootDir>/test/support/postgres.teardown.ts',
};
