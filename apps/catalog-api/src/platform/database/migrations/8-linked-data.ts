import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What projects and datasets are as linked data: kept beside their stored documents. */
export class LinkedData1790000800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Anything as one segment of an IRI's path: what is not unreserved there is percent-encoded.
      CREATE FUNCTION iri_segment(value text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        RETURN CASE WHEN value ~ '^[A-Za-z0-9._~-]*$' THEN value ELSE (
          SELECT coalesce(string_agg(
            CASE WHEN letter ~ '^[A-Za-z0-9._~-]$' THEN letter
              ELSE upper(regexp_replace(encode(convert_to(letter, 'UTF8'), 'hex'), '(..)', '%\\1', 'g')) END,
            '' ORDER BY place), '')
          FROM string_to_table(value, NULL) WITH ORDINALITY AS split (letter, place)
        ) END;

      -- The IRI of an ontology term given as HP:0001250; null for what is none that we know.
      CREATE FUNCTION term_iri(curie text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        RETURN CASE
          WHEN curie ~ '^(CL|DOID|DUO|GO|HP|MONDO|NCIT|OBI|UBERON):[0-9]+$'
            THEN 'http://purl.obolibrary.org/obo/' || replace(curie, ':', '_')
          WHEN curie ~ '^EFO:[0-9]+$' THEN 'http://www.ebi.ac.uk/efo/' || replace(curie, ':', '_')
          WHEN curie ~ '^(ORPHA|Orphanet|ORDO):[0-9]+$'
            THEN 'http://www.orpha.net/ORDO/Orphanet_' || split_part(curie, ':', 2)
          WHEN curie ~ '^HGNC:[0-9]+$' THEN 'http://identifiers.org/hgnc/' || split_part(curie, ':', 2)
        END;

      ALTER TABLE project_documents ADD COLUMN linked text NOT NULL DEFAULT '';
      ALTER TABLE dataset_documents ADD COLUMN linked text NOT NULL DEFAULT '';

      ALTER TABLE use_classes ADD COLUMN duo varchar(20);
      UPDATE use_classes SET duo = term FROM (VALUES
        ('NRES', 'DUO_0000004'), ('GRU', 'DUO_0000042'), ('HMB', 'DUO_0000006'), ('DS', 'DUO_0000007'),
        ('POA', 'DUO_0000011'), ('RS', 'DUO_0000012'), ('RUO', 'DUO_0000014'), ('NMDS', 'DUO_0000015'),
        ('GSO', 'DUO_0000016'), ('NPU', 'DUO_0000018'), ('PUB', 'DUO_0000019'), ('COL', 'DUO_0000020'),
        ('IRB', 'DUO_0000021'), ('GS', 'DUO_0000022'), ('MOR', 'DUO_0000024'), ('TS', 'DUO_0000025'),
        ('US', 'DUO_0000026'), ('PS', 'DUO_0000027'), ('IS', 'DUO_0000028'), ('RTN', 'DUO_0000029')
      ) AS duo (class, term) WHERE code = class`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE use_classes DROP COLUMN duo;
      ALTER TABLE dataset_documents DROP COLUMN linked;
      ALTER TABLE project_documents DROP COLUMN linked;
      DROP FUNCTION term_iri(text);
      DROP FUNCTION iri_segment(text)`);
  }
}
