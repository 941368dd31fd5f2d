DROP TRIGGER users_end_sessions ON users;
DROP FUNCTION end_sessions_of_user;
ALTER TABLE audit_entries DROP COLUMN address;
ALTER TABLE failure_counts DROP COLUMN audited;
DROP TABLE password_links;
ALTER TABLE sessions DROP COLUMN last_used_at, DROP COLUMN address, DROP COLUMN user_agent, DROP COLUMN method;
