/** Examples that are told of each finding. */
const maxExamples = 3;

/** What could not be taken over as it was, counted, with a few examples. */
export class MappingReport {
  private readonly findings = new Map<string, { count: number; examples: string[] }>();

  /** Notes something about one record. @param finding reads the same for every record it is about */
  note(finding: string, record: string): void {
    const found = this.findings.get(finding) ?? { count: 0, examples: [] };
    found.count++;
    if (found.examples.length < maxExamples && !found.examples.includes(record)) found.examples.push(record);
    this.findings.set(finding, found);
  }

  /** One line for each finding. */
  lines(): string[] {
    return [...this.findings].map(
      ([finding, { count, examples }]) => `${finding} (${String(count)}×, e.g. ${examples.join(', ')})`,
    );
  }
}
