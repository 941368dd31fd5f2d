CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- Unlogged: counting must be cheap, and what a crash loses is a minute's count.
CREATE UNLOGGED TABLE failure_counts (
  sort varchar(20) NOT NULL,
  subject varchar(64) NOT NULL,
  count integer NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  PRIMARY KEY (sort, subject)
);
