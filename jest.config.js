import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.exclude;
delete swc.$schema;

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testTimeout: 30_000, // servers and ten thousand rows are real here, and the machine may be busy
  maxWorkers: Math.max(2, availableParallelism() - 1), // they wait for servers as much as they compute
  workerIdleMemoryLimit: '1GB', // of every module that a suite has loaded something stays behind
  globalSetup: '<rootDir>/test/support/postgres.setup.ts',
  globalTeardown: '<rootDir>/test/support/postgres.teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/test-logs.setup.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(keycloak|s3|browser|nginx)\\.spec\\.ts$', '/test/faults/'],
  testMatch: ['<rootDir>/{apps,libs,scripts,test,bench}/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...swc }] },
  moduleNameMapper: {
    '^@rdc/(errors|settings|cli|telemetry|auth|http)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
};
