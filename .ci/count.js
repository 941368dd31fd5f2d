// Prints "<passed> <failed>" for reports of Jest (--json), then each failed file on a line. If a file ran more than once,
// its last run counts. Tests that were skipped or did not run count as failed.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const files = new Map(reports.flatMap(({ testResults }) => testResults.map((file) => [file.name, file])));

let passed = 0;
let failed = files.size === 0 ? 1 : 0;
const failedFiles = [];
for (const [name, { status, assertionResults }] of files) {
  const good = assertionResults.filter((test) => test.status === 'passed').length;
  const bad = assertionResults.length - good;
  passed += good;
  failed += bad === 0 && status === 'failed' ? 1 : bad;
  if (status === 'failed') failedFiles.push(name);
}
console.log([`${passed} ${failed}`, ...failedFiles].join('\n'));
