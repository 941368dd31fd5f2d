import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { TermsRepository } from '../terms/terms.repository.js';

/** A text to search for. */
export interface SearchedText {
  /** The text without spaces around it. */
  readonly text: string;
  /** The words of the text, or a term that the text names, as a `tsquery`. null if the text contains no word. */
  readonly words: string | null;
}

/** The SQL of a kind of record that a search compares with the text. All expressions refer to the row `record`. */
export interface SearchedKind {
  /** The table of the documents. */
  readonly documents: string;
  /** The text with the names, which is the expression of the index `<list>_search_idx`. */
  readonly searched: string;
  readonly accession: string;
  readonly acronym: string;
}

/** The maximum number of terms by which a search finds records. */
const maxTerms = 50;

/** The length of the shortest text for which an index finds parts of names. */
const minPartLength = 3;

/** Prepares searches of records by names and by the words of the documents. */
@Injectable()
export class RecordSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly terms: TermsRepository,
  ) {}

  /**
   * Returns the text with its words. A record that names a term, by its identifier or by its label, is also found by the
   * term's synonyms.
   */
  async prepare(q: string): Promise<SearchedText> {
    const text = q.trim();
    const terms = text === '' ? [] : await this.terms.best(text, maxTerms);
    const [row] = await this.dataSource.query<{ words: string | null }[]>(preparation, [
      text,
      terms.map(({ term_id }) => term_id),
      terms.map(({ label }) => label),
    ]);
    return { text, words: row?.words ?? null };
  }
}

/** Returns the words of `$1`, of the identifiers `$2`, and of those labels `$3` that do not contain `$1` themselves. */
const preparation = `
  SELECT string_agg('(' || query::text || ')', ' | ') AS words FROM (
    SELECT search_query($1) AS query
    UNION
    SELECT ('''' || replace(replace(search_form(id), E'\\\\', E'\\\\\\\\'), '''', '''''') || '''')::tsquery
      FROM unnest($2::text[]) AS id WHERE id ~ '^[[:alnum:]]+[:_]'
    UNION
    SELECT search_query(label) FROM unnest($3::text[]) AS label
     WHERE strpos(search_form(label), search_form($1)) = 0) AS alternatives
   WHERE numnode(query) > 0`;

/**
 * Returns the condition of the records that match a text: by a part of a name, or by the words of the document.
 *
 * @param atMost the maximum number of records by name and by words. Every match by default
 */
export function matchesOf(list: string, kind: SearchedKind, { text, words }: SearchedText, atMost?: number): Sql {
  // OFFSET 0 plans the scan without the limit. With the limit, the planner expects early matches and reads whole tables.
  const limited = (scan: Sql): Sql =>
    atMost === undefined ? scan : sql`SELECT id FROM (${scan} OFFSET 0) AS found LIMIT ${atMost}::integer`;
  const records = sql`SELECT id FROM ${fixedSql(`${list} AS record`)}`;
  const ways = [
    limited(sql`${records} WHERE ${namePart(kind, text)}`),
    // The best matches are among the records, however many others there are.
    sql`${records} WHERE lower(record.name) = lower(${text}::text)`,
  ];
  if (words !== null)
    ways.push(limited(sql`SELECT id FROM ${fixedSql(kind.documents)} WHERE words @@ (SELECT ${words}::tsquery)`));
  if (kind.accession !== 'NULL')
    ways.push(sql`${records} WHERE ${fixedSql(kind.accession)} IN (${text}::text, upper(${text}::text))`);
  return sql`record.id IN (${ways.map((way) => sql`(${way})`).reduce((all, way) => sql`${all} UNION ${way}`)})`;
}

/**
 * Returns the same condition as {@link matchesOf}, on the rows `record` and `document`. No index supports the condition,
 * so a statement reads only rows that its other conditions select, and its time does not depend on other records.
 */
export function matchOf(kind: SearchedKind, { text, words }: SearchedText): Sql {
  const byName = namePart(kind, text);
  return words === null ? byName : sql`${byName} OR document.words @@ ${words}::tsquery`;
}

/** Returns the rank of a match: the accession, a whole name, the start of the names, a part of the names, other words. */
export function rankOf({ searched, accession, acronym }: SearchedKind, { text }: SearchedText): Sql {
  const form = sql`search_form(${text}::text)`;
  return sql`CASE
    WHEN ${fixedSql(accession)} IN (${text}::text, upper(${text}::text)) THEN 0
    WHEN ${form} IN (search_form(record.name), search_form(${fixedSql(acronym)})) THEN 1
    WHEN starts_with(${fixedSql(searched)}, ${form}) THEN 2
    WHEN ${fixedSql(searched)} LIKE ${containsPattern(text)} THEN 3
    ELSE 4 END`;
}

/** Returns the condition of records with the text in a name. A short text matches words only, because no index finds it. */
function namePart({ searched }: SearchedKind, text: string): Sql {
  if (text.length > 0 && text.length < minPartLength) return sql`false`;
  return sql`${fixedSql(searched)} LIKE ${containsPattern(text)}`;
}
