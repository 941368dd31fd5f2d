import type { MigrationInterface, QueryRunner } from 'typeorm';

const documents = ['project', 'dataset', 'contract', 'partner', 'cohort'].map((word) => `${word}_documents`);

/**
 * The records that each view reads, with the instant of the last change in that view, in the place of one counter and
 * one instant for all callers. The service fills the table when it starts.
 */
export class Views1790001900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE view_records (
        list varchar(20) NOT NULL,
        record_id integer NOT NULL,
        view varchar(40) NOT NULL,
        external_id varchar(255),
        digest uuid,
        seen_since timestamptz NOT NULL,
        changed_at timestamptz NOT NULL,
        PRIMARY KEY (list, record_id, view)
      );
      CREATE INDEX view_records_feed_idx ON view_records (view, list, changed_at, record_id);
      CREATE INDEX view_records_withdrawn_idx ON view_records (changed_at) WHERE digest IS NULL;
      CREATE TABLE view_versions (
        view varchar(40) NOT NULL,
        list varchar(20) NOT NULL,
        version uuid NOT NULL,
        PRIMARY KEY (view, list)
      );
      CREATE TABLE document_state (
        single boolean PRIMARY KEY DEFAULT true CONSTRAINT document_state_single_check CHECK (single),
        basis varchar(64) NOT NULL DEFAULT '',
        noticed_at timestamptz NOT NULL DEFAULT '-infinity'
      );
      INSERT INTO document_state DEFAULT VALUES;

      -- The address of a dataset at an endpoint; null if that is no address of the web.
      CREATE FUNCTION landing_page(url_pattern text, accession text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        RETURN (SELECT CASE WHEN address ~ '^https?://[^\\s<>"{}|\\\\^\`]+$' THEN address END
          FROM (SELECT replace(url_pattern, '\${entity_id}', iri_segment(accession)) AS address) AS page);

      DROP TRIGGER users_move_version ON users;
      DROP FUNCTION move_version_of_users;
      DROP TABLE list_versions;`);
    await runner.query(usersUp);
    for (const table of documents) await runner.query(`ALTER TABLE ${table} DROP COLUMN changed_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of documents) {
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN changed_at timestamptz(3) NOT NULL DEFAULT now();
        ALTER TABLE ${table} ALTER COLUMN changed_at DROP DEFAULT;
        CREATE INDEX ${table}_changed_at_id_idx ON ${table} (changed_at, id)`);
    }
    await runner.query(usersDown);
    await runner.query(`
      DROP FUNCTION landing_page;
      DROP TABLE document_state, view_versions, view_records;
      CREATE TABLE list_versions (
        list varchar(20) PRIMARY KEY,
        version bigint NOT NULL DEFAULT 1,
        basis varchar(64) NOT NULL DEFAULT ''
      );
      INSERT INTO list_versions (list)
        VALUES ('projects'), ('datasets'), ('contracts'), ('partners'), ('cohorts'), ('users');
      CREATE FUNCTION move_version_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE list_versions SET version = version + 1 WHERE list = 'users';
        RETURN NULL;
      END $$;
      CREATE TRIGGER users_move_version
        AFTER INSERT OR DELETE OR UPDATE OF first_name, last_name, email, active, technical ON users
        FOR EACH STATEMENT EXECUTE FUNCTION move_version_of_users()`);
  }
}

/**
 * Keeps the list of people. People are written by many statements without the lock of the documents, so a trigger
 * compares what the list shows. The lock on the row of the version puts the instants into the order of the commits.
 */
const usersUp = `
  -- The text by which the list shows a person: the name, else the e-mail address, else the id.
  CREATE FUNCTION shown_name(first_name text, last_name text, email text, id integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(nullif(trim(first_name || ' ' || last_name), ''), email, 'User ' || id);

  CREATE FUNCTION notice_users(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF cardinality(ids) = 0 THEN RETURN; END IF;
    PERFORM FROM view_versions WHERE view = 'all' AND list = 'users' FOR UPDATE;
    INSERT INTO view_records AS kept (list, record_id, view, digest, seen_since, changed_at)
      SELECT 'users', id, 'all', seen.digest, at, at
      FROM unnest(ids) AS id
      LEFT JOIN (
        SELECT person.id, md5(ROW(shown_name(first_name, last_name, email, person.id), last_name, first_name)::text)::uuid
          AS digest
        FROM users AS person WHERE active AND NOT technical
      ) AS seen USING (id)
      LEFT JOIN view_records AS known ON known.list = 'users' AND known.view = 'all' AND known.record_id = id
      CROSS JOIN (
        SELECT greatest(clock_timestamp(), max(changed_at) + interval '1 microsecond') AS at
        FROM view_records WHERE view = 'all' AND list = 'users'
      ) AS clock
      WHERE seen.digest IS DISTINCT FROM known.digest
      ON CONFLICT (list, record_id, view) DO UPDATE SET
        digest = excluded.digest, changed_at = excluded.changed_at,
        seen_since = CASE WHEN kept.digest IS NULL THEN excluded.seen_since ELSE kept.seen_since END;
    IF FOUND THEN
      UPDATE view_versions SET version = gen_random_uuid() WHERE view = 'all' AND list = 'users';
    END IF;
  END $$;
  CREATE FUNCTION notice_written_users() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      PERFORM notice_users(ARRAY(SELECT id FROM former));
    ELSIF TG_OP = 'INSERT' THEN
      PERFORM notice_users(ARRAY(SELECT id FROM present));
    ELSE
      PERFORM notice_users(ARRAY(
        SELECT id FROM present JOIN former USING (id)
        WHERE (present.first_name, present.last_name, present.email, present.active, present.technical)
          IS DISTINCT FROM (former.first_name, former.last_name, former.email, former.active, former.technical)));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER users_notice_inserted AFTER INSERT ON users REFERENCING NEW TABLE AS present
    FOR EACH STATEMENT EXECUTE FUNCTION notice_written_users();
  CREATE TRIGGER users_notice_updated AFTER UPDATE ON users REFERENCING NEW TABLE AS present OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION notice_written_users();
  CREATE TRIGGER users_notice_deleted AFTER DELETE ON users REFERENCING OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION notice_written_users();
  INSERT INTO view_versions (view, list, version) VALUES ('all', 'users', gen_random_uuid());
  SELECT notice_users(ARRAY(SELECT id FROM users))`;

const usersDown = `
  DROP TRIGGER users_notice_inserted ON users;
  DROP TRIGGER users_notice_updated ON users;
  DROP TRIGGER users_notice_deleted ON users;
  DROP FUNCTION notice_written_users;
  DROP FUNCTION notice_users;
  DROP FUNCTION shown_name`;
