/**
 * The usual cases of a single account, in one statement and without locking out other writers: the person is a user
 * already and nothing about them changed, or nobody here has their subject or their address. Their accesses that wait
 * for nothing else come into force. Answers whether it was such a case; if not, nothing was done.
 *
 * Parameters: subject, e-mail, first and last name (null: the account does not say it).
 */
export const importKnownOrNew = `
  WITH known AS (
    SELECT id FROM users
     WHERE subject = $1::varchar AND active AND email = $2::varchar
       AND first_name = COALESCE($3::varchar, first_name) AND last_name = COALESCE($4::varchar, last_name)),
  created AS (
    INSERT INTO users (subject, email, first_name, last_name)
    SELECT $1, $2, COALESCE($3, ''), COALESCE($4, '') WHERE NOT EXISTS (SELECT FROM known)
    ON CONFLICT DO NOTHING RETURNING id, subject, email, first_name, last_name),
  noted_person AS (
    INSERT INTO audit_entries (actor, action, resource, record_id, after)
    SELECT 'idp-sync', 'create', 'users', id,
           jsonb_build_object('subject', subject, 'email', email, 'first_name', first_name, 'last_name', last_name)
      FROM created),
  person AS (SELECT id FROM known UNION ALL SELECT id FROM created),
  activated AS (
    UPDATE accesses
       SET status = 'active', granted_at = now(), user_id = person.id, next_attempt_at = NULL, updated_at = now()
      FROM person
     WHERE accesses.subject = $1 AND accesses.status = 'precreated' AND NOT accesses.confirmation_due
    RETURNING accesses.id),
  noted_accesses AS (
    INSERT INTO audit_entries (actor, action, resource, record_id)
    SELECT 'idp-sync', 'activate', 'accesses', id FROM activated)
  SELECT EXISTS (SELECT FROM person) AS adopted`;
