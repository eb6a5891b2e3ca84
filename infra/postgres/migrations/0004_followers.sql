-- Up Migration
-- One row for each thing that follows the log: how far it has come, and who may move it on.
create table followers (
  name text not null,
  version integer not null check (version > 0),
  -- The checkpoint: the last event whose work was committed. Compared as text, like every position.
  position text collate "C" not null default '',
  event_id uuid,
  log_id text,
  -- Counts the takeovers. Whoever holds an older number has lost the right to move the checkpoint.
  fence bigint not null default 0,
  lease_holder text,
  lease_until timestamptz,
  state text not null default 'running' check (state in ('running', 'stopped')),
  stop_reason text,
  -- Where it could not go on; the event itself is in the log.
  stop_position text collate "C",
  stopped_at timestamptz,
  primary key (name, version),
  check ((state = 'stopped') = (stop_reason is not null))
);
-- Down Migration
