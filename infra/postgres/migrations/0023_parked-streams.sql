-- Up Migration
-- Streams that a follower could not go on with, while it went on with the others. Their later events wait in the log.
create table parked_streams (
  name text not null,
  version integer not null,
  stream text collate "C" not null,
  -- The event that it failed at.
  position text collate "C" not null,
  event_id text not null,
  revision integer not null,
  reason text not null,
  since timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  tried_at timestamptz,
  -- Counts how often another try was asked for, and which of these the last try came after: one that is asked for meanwhile is not lost.
  asked integer not null default 0,
  answered integer not null default 0,
  primary key (name, version, stream),
  foreign key (name, version) references followers on delete cascade
);
create index parked_streams_to_retry on parked_streams (name, version) where asked > answered;
-- Down Migration
drop table parked_streams;
