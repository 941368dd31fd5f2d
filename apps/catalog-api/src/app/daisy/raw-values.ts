import { tryParseJson } from '../../platform/json/json.js';
import type { MappingReport } from './mapping-report.js';

/** A record as DAISY gives it. */
export type Raw = Readonly<Record<string, unknown>>;

/** An object as it is, everything else as one without members. */
export function rawOf(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

/** The objects of a list; DAISY writes `""` for a list without any. */
export function rawsOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(rawOf) : [];
}

/** A text that says something, else null. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : [];
}

/** Reads the members of one record, and notes what it cannot take over as it is. */
export class RawRecord {
  /** How the record is named in the report. */
  readonly name: string;

  constructor(
    readonly raw: Raw,
    private readonly list: string,
    private readonly report: MappingReport,
  ) {
    this.name = textOf(raw['external_id']) ?? textOf(raw['name']) ?? textOf(raw['id_at_source']) ?? 'one without name';
  }

  note(finding: string): void {
    this.report.note(`${this.list}: ${finding}`, this.name);
  }

  /** Members that our document has no place for. */
  noteUnknown(known: readonly string[]): void {
    for (const member of Object.keys(this.raw)) {
      if (!known.includes(member)) this.note(`the member ${member} is not kept`);
    }
  }

  /** One of some words; a fallback for none, and, noted, for another. */
  wordOf<T extends string | null>(value: unknown, words: readonly string[], fallback: T, what: string): string | T {
    const word = textOf(value);
    if (word === null) return fallback;
    if (words.includes(word)) return word;
    this.note(`the ${what} ${JSON.stringify(word)} became ${JSON.stringify(fallback)}`);
    return fallback;
  }

  /** Those of some words that we know. */
  wordsOf(value: unknown, words: readonly string[], what: string): string[] {
    return textsOf(value).filter((word) => {
      if (!words.includes(word)) this.note(`the ${what} ${JSON.stringify(word)} is not kept`);
      return words.includes(word);
    });
  }

  /** A day; what is none is noted and left out. */
  dayOf(value: unknown, what: string): string | null {
    const text = textOf(value);
    if (text === null) return null;
    const day = text.slice(0, 10);
    const instant = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
    if (instant && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day)) return day;
    this.note(`the ${what} ${JSON.stringify(text)} is no day and not kept`);
    return null;
  }

  /** Metadata, which in DAISY may be empty, null or no object. */
  metadata(): string {
    const text = textOf(this.raw['metadata']);
    if (text === null) return '{}';
    const value = tryParseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
    this.note('metadata that is no JSON object is kept under "daisy" in one');
    return JSON.stringify({ daisy: value ?? text });
  }
}
