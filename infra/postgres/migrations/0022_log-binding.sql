-- Up Migration
-- The log that this database belongs to; null before the first start. Beside another log every sealed record would look like an
-- orphan, and every task like one that is no longer owed.
alter table installation
  add column bound_log text,
  -- When database and log began together, both empty; null where the database was in use before it was bound.
  add column begun_at timestamptz,
  -- How many events the operator accepted the log with (npm run audit -- --accept).
  add column accepted_events bigint not null default 0,
  -- The newest event that a process is known to have appended to a log outside this database.
  add column newest_position text collate "C",
  add column newest_event uuid;
-- Down Migration
