/** The names of one folder, for detecting names that differ by case or Unicode form only. */
export class CaseVariants {
  private readonly names = new Map<string, string>();

  /** Adds a name. @returns the last name added before that is equal except for case and Unicode form, if there is one */
  add(name: string): string | undefined {
    const folded = name.normalize('NFC').toLowerCase();
    const variant = this.names.get(folded);
    this.names.set(folded, name);
    return variant;
  }
}
