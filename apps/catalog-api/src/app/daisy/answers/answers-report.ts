import type { Difference, Findings } from './difference.js';

/** The maximum number of differences of one rule that the report names. */
const namedDifferences = 100;

/** The maximum number of characters of a value in the report. */
const valueLength = 120;

/** The result of a comparison of answers. */
export class AnswersReport implements Findings {
  answers = 0;
  people = 0;
  private values = 0;
  private equal = 0;
  private readonly byRule = new Map<string, { count: number; named: Difference[] }>();
  private readonly others: Difference[] = [];

  value(isEqual: boolean): void {
    this.values++;
    if (isEqual) this.equal++;
  }

  explained(rule: string, difference: Difference): void {
    const found = this.byRule.get(rule) ?? { count: 0, named: [] };
    found.count++;
    if (found.named.length < namedDifferences) found.named.push(difference);
    this.byRule.set(rule, found);
  }

  unexplained(difference: Difference): void {
    this.others.push(difference);
  }

  /** Returns the number of differences of each rule. */
  get rules(): Record<string, number> {
    return Object.fromEntries([...this.byRule].map(([rule, { count }]): [string, number] => [rule, count]).toSorted());
  }

  /** Returns the differences that no rule explains. */
  get differences(): readonly Difference[] {
    return this.others;
  }

  summary(): string {
    const explained = Object.values(this.rules).reduce((sum, count) => sum + count, 0);
    return (
      `${String(this.answers)} answers and the permissions of ${String(this.people)} people were compared: ` +
      `${String(this.equal)} of ${String(this.values)} values are equal, ${String(explained)} differences follow a rule, ` +
      `${String(this.others.length)} differences have no rule.`
    );
  }

  /** Returns the report as Markdown. */
  text(head: { readonly daisy: string; readonly catalog: string; readonly at: Date }): string {
    return [
      '# Comparison of the answers of DAISY and the catalog',
      '',
      `- DAISY: ${head.daisy}`,
      `- Catalog: ${head.catalog}`,
      `- Time: ${head.at.toISOString()}`,
      `- Result: ${this.summary()}`,
      '',
      '## Differences without a rule',
      '',
      ...(this.others.length === 0 ? ['None.'] : this.others.map((each) => `- ${lineOf(each)}`)),
      ...[...this.byRule]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([rule, { count, named }]) => [
          '',
          `## ${rule}: ${String(count)}`,
          '',
          ...named.map((each) => `- ${lineOf(each)}`),
          ...(count > named.length ? [`- and ${String(count - named.length)} more`] : []),
        ]),
      '',
    ].join('\n');
  }
}

/** Returns a difference as one line. */
export function lineOf({ record, path, daisy, catalog }: Difference): string {
  const place = path === '' ? record : `${record}: ${path}`;
  return `${place}: ${valueText(daisy)} in DAISY, ${valueText(catalog)} in the catalog`;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length <= valueLength ? text : `${text.slice(0, valueLength)}…`;
}
