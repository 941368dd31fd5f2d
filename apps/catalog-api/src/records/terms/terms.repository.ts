import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { fixedSql, sql } from '../../platform/database/sql.js';
import { containsPattern, likePattern } from '../../platform/lists/search-text.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import type { FoundTerm } from './search-terms.dto.js';
import type { TermChanges } from './terms-import.dto.js';
import type { TermCategory } from './term.entity.js';
import type { TermEntry } from './term-file.js';

/** A page of matching terms, with the number of matches on all pages. */
export interface TermPage {
  readonly results: readonly FoundTerm[];
  readonly total: number;
}

/**
 * The rank of a term that matches `q`. The column `entries` contains the label and then each synonym, one on a line. The
 * best matches come first: the whole label, a whole synonym, the start of the label, the start of a synonym, others.
 */
const rank = `CASE WHEN starts_with(entries, E'\\n' || q || E'\\n') THEN 0
                WHEN strpos(entries, E'\\n' || q || E'\\n') > 0 THEN 1
                WHEN starts_with(entries, E'\\n' || q) THEN 2
                WHEN strpos(entries, E'\\n' || q) > 0 THEN 3
                ELSE 4 END`;

/** Finds the terms of a vocabulary, best matches first. */
export const termSearch = `
  WITH input AS (SELECT search_form($2) AS q),
  ranked AS MATERIALIZED (
    SELECT id, split_part(entries, E'\\n', 2) AS sort_label, ${rank} AS rank
      FROM terms CROSS JOIN input
     WHERE category = $1 AND NOT obsolete
       AND entries
           LIKE '%' || replace(replace(replace(search_form($2), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'),
  page AS (
    SELECT * FROM ranked ORDER BY rank, sort_label COLLATE "C", id LIMIT $3 OFFSET $4)
  SELECT (SELECT count(*) FROM ranked)::int AS total,
         COALESCE((SELECT json_agg(json_build_object('id', id, 'text', label, 'term_id', term_id)
                                   ORDER BY rank, sort_label COLLATE "C", id)
                     FROM page JOIN terms USING (id)), '[]') AS results`;

/** A term of any vocabulary. */
export interface RankedTerm {
  readonly category: TermCategory;
  readonly term_id: string;
  readonly label: string;
}

/** The number of terms in one statement. */
const batchSize = 10_000;

/** An error that rolls back the transaction of a dry run. */
class RehearsalEnd extends Error {}

/** The statements about vocabularies. */
@Injectable()
export class TermsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: CatalogWriter,
  ) {}

  /** Returns a page of matching terms, best matches first, by one statement. */
  async searchPage(category: TermCategory, search: string, limit: number, offset: number): Promise<TermPage> {
    const [page] = await this.dataSource.query<[TermPage]>(termSearch, [category, search, limit, offset]);
    return page;
  }

  /** Returns the best matches of all vocabularies. A text of less than three letters matches whole entries only. */
  async best(search: string, limit: number): Promise<RankedTerm[]> {
    const form = sql`search_form(${search.trim()}::text)`;
    const matches =
      search.trim().length < 3
        ? sql`entries LIKE E'%\\n' || ${likePattern(form)} || E'\\n%'`
        : sql`entries LIKE ${containsPattern(search)}`;
    const { text, values } = sql`
      SELECT category, term_id, label FROM terms CROSS JOIN (SELECT ${form} AS q) AS input
       WHERE NOT obsolete AND ${matches}
       ORDER BY ${fixedSql(rank)}, split_part(entries, E'\\n', 2) COLLATE "C", id LIMIT ${limit}::integer`.toQuery();
    return this.dataSource.query<RankedTerm[]>(text, values);
  }

  /**
   * Replaces a vocabulary in one transaction. Equal rows are not written, and terms without an entry become obsolete.
   * Concurrent imports of the same vocabulary run one after the other.
   *
   * @param note additional work in the transaction
   */
  replace(
    category: TermCategory,
    entries: readonly TermEntry[],
    note: (manager: EntityManager, changes: TermChanges) => Promise<void> = () => Promise.resolve(),
  ): Promise<TermChanges> {
    return this.writer.write(async ({ manager }) => {
      const changes = await change(manager, category, entries);
      await note(manager, changes);
      return changes;
    });
  }

  /** Returns the changes that {@link replace} would make. Makes the changes and rolls the transaction back. */
  async rehearse(category: TermCategory, entries: readonly TermEntry[]): Promise<TermChanges> {
    let changes: TermChanges | undefined;
    const work = async ({ manager }: CatalogTransaction): Promise<never> => {
      changes = await change(manager, category, entries);
      throw new RehearsalEnd();
    };
    return this.writer.write(work).catch((error: unknown) => {
      if (error instanceof RehearsalEnd && changes) return changes;
      throw error;
    });
  }
}

async function change(
  manager: EntityManager,
  category: TermCategory,
  entries: readonly TermEntry[],
): Promise<TermChanges> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('terms/' || $1))`, [category]);
  await loadEntries(manager, entries);
  const [written] = await manager.query<[{ created: number; updated: number }]>(upsert, [category]);
  const [gone] = await manager.query<[{ obsoleted: number }]>(obsolete, [category]);
  return { ...written, ...gone, unchanged: entries.length - written.created - written.updated };
}

async function loadEntries(manager: EntityManager, entries: readonly TermEntry[]): Promise<void> {
  await manager.query(`CREATE TEMPORARY TABLE loaded_terms (term_id text PRIMARY KEY, label text, synonyms text[])
                       ON COMMIT DROP`);
  for (let at = 0; at < entries.length; at += batchSize) {
    const batch = entries.slice(at, at + batchSize);
    await manager.query(
      `INSERT INTO loaded_terms
       SELECT term_id, label, string_to_array(synonyms, E'\\n')
         FROM unnest($1::text[], $2::text[], $3::text[]) AS row (term_id, label, synonyms)`,
      [
        batch.map(({ termId }) => termId),
        batch.map(({ label }) => label),
        batch.map(({ synonyms }) => synonyms.join('\n')),
      ],
    );
  }
  await manager.query('ANALYZE loaded_terms');
}

const upsert = `
  WITH written AS (
    INSERT INTO terms (category, term_id, label, synonyms)
    SELECT $1, term_id, label, synonyms FROM loaded_terms ORDER BY term_id
    ON CONFLICT (category, term_id) DO UPDATE
       SET label = excluded.label, synonyms = excluded.synonyms, obsolete = false
     WHERE (terms.label, terms.synonyms, terms.obsolete) IS DISTINCT FROM (excluded.label, excluded.synonyms, false)
    RETURNING xmax = 0 AS created)
  SELECT count(*) FILTER (WHERE created)::int AS created, count(*) FILTER (WHERE NOT created)::int AS updated
    FROM written`;

const obsolete = `
  WITH gone AS (
    UPDATE terms SET obsolete = true
     WHERE category = $1 AND NOT obsolete
       AND NOT EXISTS (SELECT FROM loaded_terms WHERE loaded_terms.term_id = terms.term_id)
    RETURNING 1)
  SELECT count(*)::int AS obsoleted FROM gone`;
