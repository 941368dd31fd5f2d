import { tryParseJson } from '../../platform/json/json.js';

/** An object in DAISY's format. */
export type Raw = Readonly<Record<string, unknown>>;

/** Returns an object as it is, and an empty object for any other value. */
export function rawOf(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

/** Returns the objects of a list. DAISY writes `""` for an empty list. */
export function rawsOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(rawOf) : [];
}

/** Returns a text that is not blank, or null. Converts a number to text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Returns the texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : [];
}

/** A report of values that cannot be imported unchanged. */
export interface Notes {
  /** Adds a finding about one record. @param finding the same text for all records with the finding */
  note(list: string, finding: string, record: string): void;
}

/** One record in DAISY's format. Its methods read members and report values that cannot be imported unchanged. */
export class RawRecord {
  /** The name of the record in the report. */
  readonly name: string;

  constructor(
    readonly raw: Raw,
    private readonly list: string,
    private readonly report: Notes,
    name?: string,
  ) {
    this.name =
      name ??
      textOf(raw['external_id']) ??
      textOf(raw['name']) ??
      textOf(raw['id_at_source']) ??
      'a record without a name';
  }

  note(finding: string): void {
    this.report.note(this.list, finding, this.name);
  }

  /** Reports members that the catalog's document does not have. */
  reportUnknown(known: readonly string[]): void {
    for (const member of Object.keys(this.raw)) {
      if (!known.includes(member)) this.note(`the member ${member} was not imported`);
    }
  }

  /** Returns one of some words. Returns the fallback for an absent word, and for an unknown word, which is reported. */
  wordOf<T extends string | null>(value: unknown, words: readonly string[], fallback: T, what: string): string | T {
    const word = textOf(value);
    if (word === null) return fallback;
    if (words.includes(word)) return word;
    this.note(`the ${what} ${JSON.stringify(word)} was replaced by ${JSON.stringify(fallback)}`);
    return fallback;
  }

  /** Returns the known words of a list and reports the others. */
  wordsOf(value: unknown, words: readonly string[], what: string): string[] {
    return textsOf(value).filter((word) => {
      if (!words.includes(word)) this.note(`the ${what} ${JSON.stringify(word)} was not imported`);
      return words.includes(word);
    });
  }

  /** Returns a day as `YYYY-MM-DD`. Returns null for an invalid day, which is reported. */
  dayOf(value: unknown, what: string): string | null {
    const text = textOf(value);
    if (text === null) return null;
    const day = text.slice(0, 10);
    const instant = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
    if (instant && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day)) return day;
    this.note(`the ${what} ${JSON.stringify(text)} is not a day and was not imported`);
    return null;
  }

  /** Returns the metadata as the text of a JSON object. In DAISY they may be empty, null or another value. */
  metadata(): string {
    const text = textOf(this.raw['metadata']);
    if (text === null) return '{}';
    const value = tryParseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
    this.note('metadata that is not a JSON object was imported under the member "daisy"');
    return JSON.stringify({ daisy: value ?? text });
  }
}
