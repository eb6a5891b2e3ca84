-- Up Migration
-- The workers' clock tells how long ago a worker's last heartbeat came, also to a worker that has just started. A heartbeat of
-- any worker moves it on by the time since the last one, but by two seconds at most: it stands still while the database is
-- unreachable, and is not set with the database's own clock. A trigger moves it, because older builds do not know of it.
-- Older code: goes on counting by itself for how long another has sent none.
alter table workers add column if not exists clock interval not null default '0';
alter table workers add column if not exists beaten_at timestamptz not null default clock_timestamp();
create or replace function move_workers_clock() returns trigger language plpgsql set search_path from current as $$
declare
  last record;
  passed interval;
begin
  select clock, beaten_at into last from workers order by clock desc, beaten_at desc limit 1;
  -- After the query: what it found is earlier then, unless the database's clock was set back.
  new.beaten_at := clock_timestamp();
  passed := new.beaten_at - last.beaten_at;
  new.clock := coalesce(last.clock + case when passed between '0' and '2 s' then passed else '2 s' end, '0');
  return new;
end
$$;
create or replace trigger move_workers_clock before insert or update on workers
  for each row execute function move_workers_clock();
-- Down Migration
drop trigger move_workers_clock on workers;
drop function move_workers_clock();
alter table workers drop column clock, drop column beaten_at;
