// Reports words and sentence openings of `prose.yml` in comments, texts of the code and Markdown.
//
//   npm run prose                 checks all tracked files; a folder may have at most its count in prose-baseline.json
//   npm run prose -- PATH...      lists every violation in files and folders
//   npm run prose -- --lower      writes counts that have fallen to prose-baseline.json
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Counts, countsOf, folderOf, lowered, tooMany } from './prose/baseline.ts';
import { hasProse } from './prose/extract.ts';
import { lintProse, type Violation } from './prose/lint.ts';
import { readWordList } from './prose/word-list.ts';

const baselineFile = 'prose-baseline.json';

async function lintFiles(paths: readonly string[]): Promise<Violation[]> {
  const tracked = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', ...paths], {
    encoding: 'utf8',
  });
  const list = readWordList('prose.yml');
  const files = tracked.split('\0').filter((file) => hasProse(file) && existsSync(file));
  const found: Violation[] = [];
  for (const file of files) found.push(...(await lintProse(file, readFileSync(file, 'utf8'), list)));
  return found;
}

function print(violations: readonly Violation[]): void {
  for (const { file, line, column, message } of violations)
    console.log(`${file}:${String(line)}:${String(column)} ${message}`);
}

function lower(baseline: Counts, counts: Counts): void {
  writeFileSync(baselineFile, `${JSON.stringify(lowered(baseline, counts), null, 2)}\n`);
}

function compare(baseline: Counts, counts: Counts, violations: readonly Violation[]): void {
  const folders = tooMany(baseline, counts);
  for (const folder of folders) {
    print(violations.filter(({ file }) => folderOf(file) === folder));
    console.log(
      `${folder}: ${String(counts[folder] ?? 0)} violations; at most ${String(baseline[folder] ?? 0)} are allowed.\n`,
    );
  }
  if (folders.length > 0) process.exitCode = 1;
  else console.log(`${String(violations.length)} violations, as many as ${baselineFile} allows or fewer.`);
}

const [...paths] = process.argv.slice(2);
const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Counts;
if (paths.length === 0 || paths[0] === '--lower') {
  const violations = await lintFiles([]);
  const counts = countsOf(violations.map(({ file }) => file));
  compare(baseline, counts, violations);
  if (paths[0] === '--lower') lower(baseline, counts);
} else {
  const violations = await lintFiles(paths);
  print(violations);
  if (violations.length > 0) process.exitCode = 1;
}
