-- Up Migration
-- Tells this installation's database from any other, and a restored one from its original only by what it lacks.
create table installation (
  singleton boolean primary key default true check (singleton),
  log_id uuid not null default gen_random_uuid()
);
insert into installation default values;
-- Down Migration
