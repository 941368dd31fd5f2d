ALTER TABLE sessions
  ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN address varchar(45),
  ADD COLUMN user_agent varchar(200),
  ADD COLUMN method varchar(20);

CREATE TABLE password_links (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  token_hash varchar(64) NOT NULL,
  adds_password boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT password_links_token_hash_key UNIQUE (token_hash)
);

ALTER TABLE failure_counts ADD COLUMN audited boolean NOT NULL DEFAULT false;

ALTER TABLE audit_entries ADD COLUMN address varchar(45);

-- Sessions of accounts that may not sign in were judged at each request before; from here on such sessions do not exist.
DELETE FROM sessions USING users WHERE users.id = sessions.user_id AND (NOT users.active OR users.technical);

-- Every writer of users passes here: administrators, synchronisations, imports, commands and statements made by hand.
CREATE FUNCTION end_sessions_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended integer;
BEGIN
  DELETE FROM password_links WHERE user_id = NEW.id;
  DELETE FROM sessions WHERE user_id = NEW.id;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended > 0 THEN
    INSERT INTO audit_entries (actor, action, resource, record_id, after)
    VALUES (coalesce(nullif(current_setting('catalog.actor', true), ''), 'database'), 'end-sessions', 'sessions', NEW.id,
            jsonb_build_object('ended', ended, 'reason',
              CASE WHEN NOT NEW.active THEN 'deactivated' WHEN NEW.technical THEN 'technical' ELSE 'password' END));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_end_sessions
  AFTER UPDATE OF active, technical, password_hash ON users
  FOR EACH ROW
  WHEN (OLD.active AND NOT NEW.active OR NEW.technical AND NOT OLD.technical
        OR OLD.password_hash IS DISTINCT FROM NEW.password_hash)
  EXECUTE FUNCTION end_sessions_of_user();
