import type { ListComparison } from './comparison.js';
import type { MigrationReport } from './migration-report.js';

/** The facts in the head of a report. */
export interface ReportHead {
  readonly daisy: string;
  readonly release: string;
  readonly at: Date;
  readonly dryRun: boolean;
}

/** Returns the report of a migration as Markdown, for a person who checks and signs it. */
export function reportText(head: ReportHead, report: MigrationReport, comparison: ListComparison | undefined): string {
  const result =
    report.problems.length > 0
      ? 'Nothing was written, because records were refused.'
      : head.dryRun
        ? 'Dry run: nothing was written.'
        : 'Everything named here was written in one transaction.';
  return [
    '# Migration from DAISY',
    '',
    `- Source: ${head.daisy}, DAISY ${head.release}`,
    `- Time: ${head.at.toISOString()}`,
    `- Result: ${result}`,
    ...section('Counts', report.summary()),
    ...section('Remarks', report.remarks),
    ...section(
      'Refused records',
      report.problems.map(({ record, field, problem }) => `${record}: ${field === '' ? '' : `${field} `}${problem}`),
    ),
    ...section(
      'Records left out',
      report.leftOut.map(({ record, reason }) => `${record}: ${reason}`),
    ),
    ...section('Changed or added in DAISY after the migration', report.later),
    ...changesOf(report),
    ...comparisonOf(comparison),
    '',
    'Checked by: ______________________  Date: ______________',
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, '', ...(lines.length === 0 ? ['None.'] : lines.map((line) => `- ${line}`))];
}

function changesOf({ changes }: MigrationReport): string[] {
  const lines = [...changes].flatMap(([kind, ofKind]) =>
    [...ofKind].map(([change, records]) => `${kind}: ${change} (${String(records.length)}): ${records.join(', ')}`),
  );
  return section('Changes', lines);
}

function comparisonOf(comparison: ListComparison | undefined): string[] {
  if (!comparison) return section('Comparison of both systems', ['Not done, because records were refused.']);
  const { compared, differences } = comparison;
  const lists = `${String(compared)} lists were compared`;
  return section(
    'Comparison of both systems',
    differences.length === 0 ? [`${lists}: all are equal.`] : [`${lists}; these records differ:`, ...differences],
  );
}
