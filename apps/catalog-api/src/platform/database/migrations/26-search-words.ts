import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['project', 'dataset', 'contract', 'partner', 'cohort'].map((kind) => `${kind}_documents`);

/** Characters between words, in every script. The ranges are code points, so the database's locale does not matter. */
const separators = String.raw`[\s\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+`;

/** Letters of scripts that write no spaces between words: Thai, Lao, Khmer, kana and Han. Each counts as a word. */
const unspaced = String.raw`([\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])`;

/** Characters around an identifier such as `DOID:14330`. */
const brackets = String.raw`[\s()<>{}"',;|\u005b-\u005d]+`;

/** Members with values of closed lists, dates and ids. A search for "open" must not find every `open_access`. */
const unsearched = `ARRAY['id_at_source', 'uuid', 'elu_uuid', 'pk', 'oidc_id', 'access_category', 'subjects_category',
  'de_identification', 'consent_status', 'use_condition_rule', 'role', 'roles', 'partner_roles', 'type', 'category', 'geo_category',
  'sector_category', 'country_code', 'embargo_date', 'storage_end_date', 'transfer_date', 'start_date', 'end_date']`;

/**
 * The words of each stored document, for searches. The next start of the service builds documents again and stores their
 * words.
 */
export class SearchWords1790003579000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A text without case and accents, in which spaces or punctuation separate all words.
      CREATE FUNCTION spaced_form(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        RETURN regexp_replace(search_form(normalize(value)), '${unspaced}', ' \\1 ', 'g');

      -- The words of a text, without case and accents, and the text's identifiers. A tsvector has at most 1 MB.
      CREATE FUNCTION search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN (
        SELECT coalesce(array_agg(DISTINCT left(word, 100)), '{}') FROM (
          SELECT left(spaced_form(value), 100000) AS form OFFSET 0) AS text,
        LATERAL (
          SELECT regexp_split_to_table(form, '${separators}') AS word
          UNION ALL
          SELECT token FROM regexp_split_to_table(form, '${brackets.replaceAll("'", "''")}') AS token
          WHERE token ~ '^[a-z0-9]+[:_-][a-z0-9.:_-]*[a-z0-9]$') AS words
        WHERE word <> '');

      -- Short texts come first, so that a very long text displaces no name.
      CREATE FUNCTION document_words(VARIADIC documents jsonb[]) RETURNS tsvector
      -- Without the setting, each call would compile its plan, which takes 40 times as long as the call.
      LANGUAGE sql IMMUTABLE PARALLEL SAFE SET jit = off RETURN (
        SELECT array_to_tsvector(search_words(coalesce(string_agg(text #>> '{}', ' ' ORDER BY length(text::text)), '')))
        FROM unnest(documents) AS document,
          jsonb_path_query(document, 'strict $.** ? (@.type() == "object").keyvalue()') AS member,
          jsonb_path_query(member -> 'value', 'lax $ ? (@.type() == "string")') AS text
        WHERE member ->> 'key' <> ALL (${unsearched}));

      -- All words of a text. A word of three letters also matches longer words; other scripts need fewer letters.
      CREATE FUNCTION search_query(value text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN (
        SELECT string_agg('''' || word || CASE WHEN length(word) > 2 OR word ~ '[^\\x01-\\x7f]' THEN ''':*' ELSE '''' END,
          ' & ')::tsquery
        FROM regexp_split_to_table(spaced_form(value), '${separators}') AS word
        WHERE word <> '')`);
    for (const table of tables) {
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN words tsvector NOT NULL DEFAULT '';
        CREATE INDEX ${table}_words_idx ON ${table} USING gin (words)`);
    }
    await runner.query(`
      CREATE INDEX data_declarations_data_types_idx ON data_declarations USING gin (data_types);
      CREATE INDEX use_conditions_use_class_idx ON use_conditions (use_class, data_declaration_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX use_conditions_use_class_idx, data_declarations_data_types_idx');
    for (const table of tables) await runner.query(`ALTER TABLE ${table} DROP COLUMN words`);
    await runner.query('DROP FUNCTION search_query, document_words, search_words, spaced_form');
  }
}
