-- Up Migration

-- The log. `json` and not `jsonb`: the text comes back as it went in, so what was hashed is what is read, and
-- storing it costs a syntax check only. Positions have no gaps: a hole would be a missing event.
create table events (
  position bigint primary key,
  stream text collate "C" not null,
  revision integer not null check (revision >= 0),
  id uuid not null,
  type text collate "C" not null,
  data json not null,
  metadata json not null,
  recorded_at timestamptz not null,
  unique (stream, revision)
);

-- The log only grows. A statement trigger also stops TRUNCATE, and `always` holds for replication roles too.
create function refuse_change_of_log() returns trigger language plpgsql as $$
begin
  raise exception 'The log of events is never changed: % refused', tg_op;
end
$$;
create trigger log_only_grows before update or delete or truncate on events
  for each statement execute function refuse_change_of_log();
alter table events enable always trigger log_only_grows;

-- Appends many requests at once. Arrays prefixed `request_` have one element per request, those prefixed `event_` one per
-- event, in order; `event_request` is the number of the event's request, from 1. No two requests may name the same stream.
-- Expected revision -1: the stream must not exist. Each request is written whole or refused; the answer gives the newest
-- position before this call, and for the refused their numbers and where their streams stand.
--
-- It must be VOLATILE and run at READ COMMITTED, so that each statement below sees what was committed while it waited for
-- the lock. The lock is held until after the commit is visible: nothing with a lower position can appear later.
create function append_events(
  request_streams text[],
  request_expected integer[],
  event_request integer[],
  event_revision integer[],
  event_ids uuid[],
  event_types text[],
  event_data json[],
  event_metadata json[],
  out position_before bigint,
  out refused integer[],
  out refused_at integer[]
) language plpgsql volatile
-- A plan made while the table was small must never scan it when it is large.
set enable_seqscan = off
as $$
declare
  appended integer;
begin
  perform pg_advisory_xact_lock(7306522);

  select coalesce(max(position), 0) into position_before from events;

  select array_agg(request.number::integer order by request.number), array_agg(request.stands_at order by request.number)
    into refused, refused_at
    from (
      select number, expected, coalesce(
        (select e.revision from events e where e.stream = asked.stream order by e.revision desc limit 1), -1
      ) as stands_at
      from unnest(request_streams, request_expected) with ordinality as asked (stream, expected, number)
    ) as request
    where request.stands_at <> request.expected;

  insert into events (position, stream, revision, id, type, data, metadata, recorded_at)
    select position_before + row_number() over (order by number), request_streams[request], revision, id, type, data,
      metadata, clock_timestamp_of_append
    from unnest(event_request, event_revision, event_ids, event_types, event_data, event_metadata)
      with ordinality as e (request, revision, id, type, data, metadata, number),
      (select clock_timestamp() as clock_timestamp_of_append) as clock
    where refused is null or request <> all (refused);

  get diagnostics appended = row_count;
  if appended > 0 then
    perform pg_notify('events_appended', '');
  end if;
end
$$;

-- Down Migration
