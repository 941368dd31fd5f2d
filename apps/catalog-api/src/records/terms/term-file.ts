import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { TimeSlice } from '@rdc/http';

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

/** Synonyms of one term at most. */
const maxSynonyms = 10_000;

/** A term whose synonyms are being gathered. */
interface GatheredTerm extends TermEntry {
  readonly synonyms: string[];
  /** Its label and synonyms, in lower case. */
  readonly seen: Set<string>;
}

/** Longest line of a file, in characters; a term with its synonyms takes much less. */
const maxLineLength = 100_000;

/** Lines that are yielded at once: one by one they take several times as long. */
const linesAtOnce = 100;

/** Gathers the terms of one file, and everything that is wrong with them. */
export class TermList {
  private readonly entries = new Map<string, GatheredTerm>();
  private readonly problems: FieldProblem[] = [];

  /** @param maxTerms terms after which the rest of the file is not read */
  constructor(private readonly maxTerms = Number.POSITIVE_INFINITY) {}

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

  /** Keeps a term. Published files repeat some terms: repeats are one term if they agree on its label. */
  private keep(place: string, termId: string, label: string, synonyms: readonly string[]): void {
    const known = this.entries.get(termId);
    if (known && known.label !== label) {
      this.refuse(place, `repeats ${termId} with another label than "${known.label}"`);
    } else if (!known && this.entries.size >= this.maxTerms) {
      const problem = `The file holds more than ${String(this.maxTerms)} terms; load it by the command \`catalog import terms\``;
      throw new InvalidInputError([{ field: '', problem }]);
    } else if (synonyms.length + (known?.synonyms.length ?? 0) > maxSynonyms) {
      this.refuse(place, `has more than ${String(maxSynonyms)} synonyms (${termId})`);
    } else {
      const term = known ?? { termId, label, synonyms: [], seen: new Set(['', label.toLowerCase()]) };
      this.entries.set(termId, term);
      addSynonyms(term, synonyms);
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
    return [...this.entries.values()]
      .sort((one, other) => (one.termId < other.termId ? -1 : 1))
      .map(({ termId, label, synonyms }) => ({ termId, label, synonyms }));
  }
}

function inOneLine(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

/** Adds the synonyms that a term does not have, by their lower case. */
function addSynonyms({ synonyms, seen }: GatheredTerm, added: readonly string[]): void {
  for (const each of added.map(inOneLine)) {
    const lower = each.toLowerCase();
    if (seen.has(lower) || each.length > maxLabelLength) continue;
    seen.add(lower);
    synonyms.push(each);
  }
}

/** A line of a file, with its number as editors count. */
export interface NumberedLine {
  readonly number: number;
  readonly line: string;
}

/**
 * Yields the lines of a text without keeping them, and lets other requests be answered meanwhile.
 *
 * @throws InvalidInputError if a line is longer than any list of terms needs
 */
export async function* linesOf(text: string): AsyncGenerator<readonly NumberedLine[]> {
  const slice = new TimeSlice();
  let lines: NumberedLine[] = [];
  for (let [start, number] = [0, 1]; start <= text.length; number++) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    if (next - start > maxLineLength) {
      const problem = `must have at most ${String(maxLineLength)} characters`;
      throw new InvalidInputError([{ field: `line ${String(number)}`, problem }]);
    }
    lines.push({ number, line: text.slice(start, next).replace(/\r$/, '') });
    start = next + 1;
    if (lines.length < linesAtOnce && start <= text.length) continue;
    yield lines;
    lines = [];
    if (slice.isSpent) await slice.next();
  }
}
