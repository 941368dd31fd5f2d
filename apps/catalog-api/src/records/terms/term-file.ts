import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { TimeSlice } from '@rdc/http';

/** A term of a file. */
export interface TermEntry {
  readonly termId: string;
  readonly label: string;
  /** Other names, without duplicates and without the label. */
  readonly synonyms: readonly string[];
}

/** The maximum length of an identifier, in characters. */
const maxTermIdLength = 200;
/** The maximum length of a label or synonym, in characters. */
const maxLabelLength = 1000;

/** The number of problems after which reading stops, because the file is probably not a term file. */
const maxProblems = 50;

/** The maximum number of synonyms of one term. */
const maxSynonyms = 10_000;

/** A term whose synonyms are still being collected. */
interface CollectedTerm extends TermEntry {
  readonly synonyms: string[];
  /** The label and the synonyms in lower case. */
  readonly seen: Set<string>;
}

/** The maximum length of a line, in characters. A term with its synonyms is much shorter. */
const maxLineLength = 100_000;

/** The number of lines per batch. Single lines would take several times as long. */
const batchSize = 100;

/** Collects the terms of one file and their problems. */
export class TermList {
  private readonly entries = new Map<string, CollectedTerm>();
  private readonly problems: FieldProblem[] = [];

  /** @param maxTerms the maximum number of terms */
  constructor(private readonly maxTerms = Number.POSITIVE_INFINITY) {}

  /** Adds a term or its problem. @param place the place of the term in the file, such as `line 7` */
  add(
    place: string,
    raw: { readonly termId: string; readonly label: string; readonly synonyms: readonly string[] },
  ): void {
    const termId = inOneLine(raw.termId);
    const label = inOneLine(raw.label);
    if (termId === '' || termId.length > maxTermIdLength) {
      this.refuse(place, `must have an id of 1 to ${String(maxTermIdLength)} characters`);
    } else if (label === '' || label.length > maxLabelLength) {
      this.refuse(place, `must have a label of 1 to ${String(maxLabelLength)} characters (${termId})`);
    } else {
      this.merge(place, termId, label, raw.synonyms);
    }
  }

  /**
   * Adds a term or merges its synonyms into the earlier term with the same id, because published files repeat terms.
   */
  private merge(place: string, termId: string, label: string, synonyms: readonly string[]): void {
    const known = this.entries.get(termId);
    if (known && known.label !== label) {
      this.refuse(place, `must have the label "${known.label}" of the earlier term ${termId}`);
    } else if (!known && this.entries.size >= this.maxTerms) {
      const problem = `The file must contain at most ${String(this.maxTerms)} terms. Import a larger file with the command \`catalog import terms\``;
      throw new InvalidInputError([{ field: '', problem }]);
    } else if (synonyms.length + (known?.synonyms.length ?? 0) > maxSynonyms) {
      this.refuse(place, `must have at most ${String(maxSynonyms)} synonyms (${termId})`);
    } else {
      const term = known ?? { termId, label, synonyms: [], seen: new Set(['', label.toLowerCase()]) };
      this.entries.set(termId, term);
      addSynonyms(term, synonyms);
    }
  }

  /** Adds a problem. @throws InvalidInputError if there are too many problems */
  refuse(field: string, problem: string): void {
    this.problems.push({ field, problem });
    if (this.problems.length >= maxProblems) throw new InvalidInputError(this.problems);
  }

  /** Returns the terms ordered by id. @throws InvalidInputError if there are problems or no terms */
  finish(): TermEntry[] {
    if (this.problems.length > 0) throw new InvalidInputError(this.problems);
    if (this.entries.size === 0)
      throw new InvalidInputError([{ field: '', problem: 'The file must contain at least one term' }]);
    return [...this.entries.values()]
      .sort((one, other) => (one.termId < other.termId ? -1 : 1))
      .map(({ termId, label, synonyms }) => ({ termId, label, synonyms }));
  }
}

function inOneLine(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

/** Adds the synonyms that a term does not have yet, ignoring case. */
function addSynonyms({ synonyms, seen }: CollectedTerm, added: readonly string[]): void {
  for (const each of added.map(inOneLine)) {
    const lower = each.toLowerCase();
    if (seen.has(lower) || each.length > maxLabelLength) continue;
    seen.add(lower);
    synonyms.push(each);
  }
}

export interface NumberedLine {
  readonly number: number;
  readonly line: string;
}

/**
 * Yields the lines of a text in batches and lets the process answer other requests in the meantime.
 *
 * @throws InvalidInputError if a line is longer than `maxLineLength`
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
    if (lines.length < batchSize && start <= text.length) continue;
    yield lines;
    lines = [];
    if (slice.isSpent) await slice.next();
  }
}
