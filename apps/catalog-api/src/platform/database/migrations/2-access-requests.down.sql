DROP TABLE account_syncs;
ALTER TABLE users DROP COLUMN deactivated_by_sync;
ALTER TABLE accesses DROP COLUMN default_term, DROP COLUMN revoked_at, DROP COLUMN attempts, DROP COLUMN next_attempt_at;
