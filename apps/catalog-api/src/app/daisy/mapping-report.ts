import type { Notes } from './raw-values.js';

/** The maximum number of examples per finding. */
const maxExamples = 3;

/** A report of the values that could not be imported unchanged: each finding with its count and a few examples. */
export class MappingReport implements Notes {
  private readonly findings = new Map<string, { count: number; examples: string[] }>();

  note(list: string, text: string, record: string): void {
    const finding = `${list}: ${text}`;
    const found = this.findings.get(finding) ?? { count: 0, examples: [] };
    found.count++;
    if (found.examples.length < maxExamples && !found.examples.includes(record)) found.examples.push(record);
    this.findings.set(finding, found);
  }

  /** Returns one line per finding. */
  lines(): string[] {
    return [...this.findings].map(
      ([finding, { count, examples }]) => `${finding} (${String(count)}×, e.g. ${examples.join(', ')})`,
    );
  }
}
