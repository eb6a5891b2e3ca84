-- Up Migration
-- What the log amounts to so far, moved in the transaction of the auditor's own checkpoint.
create table audit_digest (
  only_row boolean primary key default true check (only_row),
  count bigint not null,
  rolling_hash text not null,
  position text collate "C" not null,
  event_id text not null
);
-- Each time the whole log was read and held against its checkpoints, and each fault the auditor met as it followed.
create table audit_runs (
  id uuid primary key,
  kind text not null check (kind in ('whole', 'following')),
  started_at timestamptz not null,
  finished_at timestamptz not null,
  events bigint not null,
  streams bigint not null,
  checkpoints bigint not null,
  problem jsonb
);
create index audit_runs_newest on audit_runs (finished_at desc);
-- Down Migration
drop table audit_runs;
drop table audit_digest;
