-- Up Migration
-- Sessions that are over before their tokens are: of one session, or of all sessions of one person. A token that was issued before
-- the moment is worth nothing, in every process, because each asks here on each request. The ids are the identity provider's.
create table ended_sessions (
  kind text not null check (kind in ('session', 'user')),
  id text not null check (id ~ '^[A-Za-z0-9_-]{1,120}$'),
  issued_before timestamptz not null,
  ended_at timestamptz not null default now(),
  primary key (kind, id)
);
create index ended_sessions_by_time on ended_sessions (ended_at);
-- Down Migration
drop table ended_sessions;
