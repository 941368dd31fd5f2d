/** The maximum number of examples per finding. */
const maxExamples = 3;

/** A report of the values that could not be imported unchanged: each finding with its count and a few examples. */
export class MappingReport {
  private readonly findings = new Map<string, { count: number; examples: string[] }>();

  /** Adds a finding about one record. @param finding the same text for all records with the finding */
  note(finding: string, record: string): void {
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
