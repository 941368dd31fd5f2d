// Prints "<passed> <failed>" for a report of Jest (--json). What did not run, or was skipped, has failed.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failed = report.numFailedTests + report.numPendingTests + report.numTodoTests + report.numRuntimeErrorTestSuites;
const ranNothing = report.numPassedTests + failed === 0;
console.log(`${report.numPassedTests} ${failed + (ranNothing ? 1 : 0)}`);
