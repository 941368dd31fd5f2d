DROP TABLE failure_counts;
DROP TABLE sessions;
