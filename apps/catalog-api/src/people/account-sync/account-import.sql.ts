/**
 * Imports a single account in the usual cases, without blocking other writers: the user exists and does not differ, or no
 * user has the subject or the address. Activates the accesses that wait only for the person. In every other case, the
 * statement changes nothing and returns false.
 *
 * Parameters: subject, e-mail, first name and last name (null if the account has none).
 */
export const importKnownOrNew = `
  WITH known AS (
    SELECT id FROM users
     WHERE subject = $1::varchar AND active AND confirmed_at IS NOT NULL AND email = $2::varchar
       AND first_name = COALESCE($3::varchar, first_name) AND last_name = COALESCE($4::varchar, last_name)),
  created AS (
    INSERT INTO users (subject, email, first_name, last_name, confirmed_at)
    SELECT $1, $2, COALESCE($3, ''), COALESCE($4, ''), now() WHERE NOT EXISTS (SELECT FROM known)
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
