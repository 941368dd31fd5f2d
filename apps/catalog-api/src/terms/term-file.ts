import { InvalidInputError, type FieldProblem } from '@rdc/errors';

/** A term as a file of its ontology gives it. */
export interface TermEntry {
  readonly termId: string;
  readonly label: string;
  /** Other names, none of them twice and none equal to the label. */
  readonly synonyms: readonly string[];
}

/** Longest identifier and label that are kept, in characters; synonyms are bound by the label's. */
const maxTermIdLength = 200;
const maxLabelLength = 1000;

/** After this many problems the rest of a file is not looked at: it is the wrong file. */
const maxProblems = 50;

/** Gathers the terms of one file, and everything that is wrong with them. */
export class TermList {
  private readonly entries = new Map<string, TermEntry>();
  private readonly problems: FieldProblem[] = [];

  /** @param place where in the file it stands, as a person would look it up: `line 7` */
  add(
    place: string,
    raw: { readonly termId: string; readonly label: string; readonly synonyms: readonly string[] },
  ): void {
    const termId = inOneLine(raw.termId);
    const label = inOneLine(raw.label);
    if (termId === '' || termId.length > maxTermIdLength) {
      this.refuse(place, `needs an id of 1 to ${String(maxTermIdLength)} characters`);
    } else if (label === '' || label.length > maxLabelLength) {
      this.refuse(place, `needs a label of 1 to ${String(maxLabelLength)} characters (${termId})`);
    } else {
      this.keep(place, termId, label, raw.synonyms);
    }
  }

  /** Published files repeat a term now and then: repeats are one term as long as they agree on its label. */
  private keep(place: string, termId: string, label: string, synonyms: readonly string[]): void {
    const known = this.entries.get(termId);
    if (known && known.label !== label) {
      this.refuse(place, `repeats ${termId} with another label than "${known.label}"`);
    } else {
      this.entries.set(termId, { termId, label, synonyms: distinct([...(known?.synonyms ?? []), ...synonyms], label) });
    }
  }

  /** Notes something wrong that makes no term. @throws InvalidInputError when there is too much of it */
  refuse(field: string, problem: string): void {
    this.problems.push({ field, problem });
    if (this.problems.length >= maxProblems) throw new InvalidInputError(this.problems);
  }

  /** The terms, in the order of their ids. @throws InvalidInputError naming every bad place, or that there is no term */
  finish(): TermEntry[] {
    if (this.problems.length > 0) throw new InvalidInputError(this.problems);
    if (this.entries.size === 0) throw new InvalidInputError([{ field: '', problem: 'The file holds no term' }]);
    return [...this.entries.values()].sort((one, other) => (one.termId < other.termId ? -1 : 1));
  }
}

function inOneLine(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

function distinct(synonyms: readonly string[], label: string): string[] {
  const seen = new Set(['', label.toLowerCase()]);
  return synonyms.map(inOneLine).filter((synonym) => {
    const known = seen.has(synonym.toLowerCase()) || synonym.length > maxLabelLength;
    seen.add(synonym.toLowerCase());
    return !known;
  });
}
