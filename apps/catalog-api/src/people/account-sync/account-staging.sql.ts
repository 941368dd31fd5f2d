/**
 * The steps that turn staged accounts into users. Each step is one statement over all accounts. `staged_accounts` is a
 * temporary table of the connection.
 */

export const createStaging = `
  CREATE TEMPORARY TABLE staged_accounts (
    subject text PRIMARY KEY,
    email text,
    first_name text,
    last_name text,
    enabled boolean NOT NULL,
    skipped boolean NOT NULL,
    conflict text,
    user_id integer,
    before jsonb)`;

/**
 * Stages a page of accounts. An account that is listed twice, because the list changed, is staged once. The statement also
 * finds the user, while the next page is being fetched; {@link matchBySubject} corrects later changes.
 */
export const stage = `
  INSERT INTO staged_accounts (subject, email, first_name, last_name, enabled, skipped, conflict, user_id)
  SELECT DISTINCT ON (account.subject) account.*, users.id
    FROM jsonb_to_recordset($1::jsonb) AS account (subject text, email text, first_name text, last_name text,
                                                   enabled boolean, skipped boolean, conflict text)
    LEFT JOIN users ON users.subject = account.subject
  ON CONFLICT (subject) DO NOTHING`;

export const indexStaging = [
  'CREATE INDEX ON staged_accounts (lower(email))',
  'CREATE INDEX ON staged_accounts (user_id)',
  'ANALYZE staged_accounts',
];

/** Selects active users whose account was listed by an earlier synchronisation, and not by this one. */
export const findUnlisted = `
  SELECT id, subject FROM users
   WHERE active AND subject IS NOT NULL AND confirmed_at IS NOT NULL AND NOT EXISTS (SELECT FROM staged_accounts WHERE subject = users.subject)
   ORDER BY id`;

/** Counts active users with an account that was listed. */
export const countLinked = `
  SELECT count(*)::integer AS linked FROM users WHERE active AND subject IS NOT NULL AND confirmed_at IS NOT NULL`;

/** Returns the condition for accounts that become or stay users. */
const eligible = (account: string): string =>
  `${account}.enabled AND NOT ${account}.skipped AND ${account}.conflict IS NULL`;

export const matchBySubject = `
  UPDATE staged_accounts AS account SET user_id = matched.id
    FROM (SELECT staged.subject, users.id
            FROM staged_accounts AS staged LEFT JOIN users ON users.subject = staged.subject) AS matched
   WHERE matched.subject = account.subject AND matched.id IS DISTINCT FROM account.user_id`;

/** Matches accounts to users by address. Only users without a subject and without a local password match. */
export const matchByEmail = `
  UPDATE staged_accounts AS account SET user_id = users.id
    FROM users
   WHERE account.user_id IS NULL AND ${eligible('account')}
     AND lower(users.email) = lower(account.email)
     AND users.subject IS NULL AND users.password_hash IS NULL AND NOT users.technical
     AND account.subject = (SELECT min(other.subject) FROM staged_accounts AS other
                             WHERE lower(other.email) = lower(account.email) AND other.user_id IS NULL
                               AND ${eligible('other')})`;

export const skipUnknownDisabled = `
  UPDATE staged_accounts SET skipped = true WHERE user_id IS NULL AND NOT enabled AND conflict IS NULL`;

/** Refuses all but one of several accounts with the same address. The account whose user has the address is accepted. */
export const refuseSharedEmails = `
  UPDATE staged_accounts AS account SET conflict = 'another account has the e-mail address ' || account.email
    FROM (SELECT each.subject, row_number() OVER (PARTITION BY lower(each.email)
                   ORDER BY (lower(users.email) = lower(each.email)) IS TRUE DESC, each.subject) AS place
            FROM staged_accounts AS each LEFT JOIN users ON users.id = each.user_id
           WHERE ${eligible('each')}) AS ranked
   WHERE ranked.subject = account.subject AND ranked.place > 1`;

/** Refuses accounts whose address belongs to a user who keeps the address. Repeated until no account is refused. */
export const refuseTakenEmails = `
  UPDATE staged_accounts AS account SET conflict = 'another user has the e-mail address ' || account.email
    FROM users
   WHERE ${eligible('account')} AND lower(users.email) = lower(account.email) AND users.id IS DISTINCT FROM account.user_id
     AND NOT EXISTS (SELECT FROM staged_accounts AS other
                      WHERE other.user_id = users.id AND ${eligible('other')}
                        AND lower(other.email) <> lower(users.email))`;

/** Marks users that differ from their account. If an account has no name, the user keeps the name. */
export const markChanged = `
  UPDATE staged_accounts AS account
     SET before = jsonb_build_object('subject', users.subject, 'email', users.email, 'first_name', users.first_name,
                                     'last_name', users.last_name, 'active', users.active)
    FROM users
   WHERE users.id = account.user_id AND ${eligible('account')}
     AND (users.subject, users.email, users.first_name, users.last_name, users.active) IS DISTINCT FROM
         (account.subject, account.email, COALESCE(account.first_name, users.first_name),
          COALESCE(account.last_name, users.last_name), users.active OR users.deactivated_by_sync)`;

/** Clears addresses that change, so that addresses can move between users. */
export const freeEmails = `
  UPDATE users SET email = NULL FROM staged_accounts AS account
   WHERE account.user_id = users.id AND account.before IS NOT NULL AND lower(users.email) <> lower(account.email)`;

export const updateUsers = `
  WITH written AS (
    UPDATE users
       SET subject = account.subject, email = account.email,
           first_name = COALESCE(account.first_name, users.first_name),
           last_name = COALESCE(account.last_name, users.last_name),
           active = users.active OR users.deactivated_by_sync, deactivated_by_sync = false, updated_at = now()
      FROM staged_accounts AS account
     WHERE account.user_id = users.id AND account.before IS NOT NULL
    RETURNING users.*, account.before),
  noted AS (
    INSERT INTO audit_entries (actor, action, resource, record_id, before, after)
    SELECT 'idp-sync', 'update', 'users', id, before,
           jsonb_build_object('subject', subject, 'email', email, 'first_name', first_name, 'last_name', last_name,
                              'active', active)
      FROM written)
  SELECT COALESCE(array_agg(id), '{}') AS ids FROM written`;

export const createUsers = `
  WITH written AS (
    INSERT INTO users (subject, email, first_name, last_name, confirmed_at)
    SELECT subject, email, COALESCE(first_name, ''), COALESCE(last_name, ''), now()
      FROM staged_accounts AS account WHERE user_id IS NULL AND ${eligible('account')} ORDER BY subject
    RETURNING *),
  noted AS (
    INSERT INTO audit_entries (actor, action, resource, record_id, after)
    SELECT 'idp-sync', 'create', 'users', id,
           jsonb_build_object('subject', subject, 'email', email, 'first_name', first_name, 'last_name', last_name)
      FROM written)
  SELECT count(*)::integer AS created FROM written`;

/** Records that the identity provider lists these people. */
export const confirmUsers = `
  UPDATE users SET confirmed_at = now()
    FROM staged_accounts AS account
   WHERE users.subject = account.subject AND users.confirmed_at IS NULL`;

/** The maximum number of people in the list of a rehearsal. */
const maxListed = 1000;

/** Deactivates the users in `$1`, whose accounts are gone, and users whose account is disabled. */
export const deactivateUsers = `
  WITH written AS (
    UPDATE users SET active = false, deactivated_by_sync = true, updated_at = now()
     WHERE active AND (id = ANY ($1::integer[]) OR
                       id IN (SELECT user_id FROM staged_accounts WHERE NOT enabled AND subject = users.subject))
    RETURNING id, subject, email, first_name, last_name),
  noted AS (
    INSERT INTO audit_entries (actor, action, resource, record_id) SELECT 'idp-sync', 'deactivate', 'users', id FROM written)
  SELECT (SELECT count(*)::integer FROM written) AS deactivated,
         ARRAY(SELECT to_jsonb(person) FROM (
           SELECT written.*, CASE WHEN id = ANY ($1::integer[]) THEN 'gone' ELSE 'disabled' END AS reason
             FROM written ORDER BY id LIMIT ${String(maxListed)}) AS person) AS people`;

/** Activates accesses that waited for a person with a staged account. */
export const activateAccesses = `
  WITH written AS (
    UPDATE accesses
       SET status = 'active', granted_at = now(), user_id = users.id, next_attempt_at = NULL, updated_at = now()
      FROM staged_accounts AS account JOIN users ON users.subject = account.subject
     WHERE accesses.subject = account.subject AND accesses.status = 'precreated' AND NOT accesses.confirmation_due
       AND ${eligible('account')} AND users.active
    RETURNING accesses.id),
  noted AS (
    INSERT INTO audit_entries (actor, action, resource, record_id) SELECT 'idp-sync', 'activate', 'accesses', id FROM written)
  SELECT count(*)::integer AS activated FROM written`;

export const countStaged = `
  SELECT count(*) FILTER (WHERE ${eligible('account')})::integer AS eligible,
         count(*) FILTER (WHERE NOT enabled AND NOT skipped AND conflict IS NULL)::integer AS disabled,
         count(*) FILTER (WHERE skipped AND conflict IS NULL)::integer AS skipped
    FROM staged_accounts AS account`;

export const listConflicts = `
  SELECT subject, conflict AS reason FROM staged_accounts WHERE conflict IS NOT NULL ORDER BY subject`;
