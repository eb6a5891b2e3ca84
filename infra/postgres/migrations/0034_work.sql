-- Up Migration
-- Processes that perform automatic work. One is alive while its counter moves; its row goes when it stops, or when others have
-- seen the counter stand still.
create table workers (
  id uuid primary key,
  beats bigint not null default 0,
  started_at timestamptz not null default now()
);
-- One row for each order, ticket and draft that is owed something: when to look at it, and who may. Derived from the log, and
-- derived again if lost. A process without its row in workers owns nothing.
create table work (
  subject_id uuid primary key,
  due_at timestamptz not null,
  -- When the first of its personal data is to be destroyed.
  destroys_at timestamptz,
  -- What is owed, for people: name, kind, dueAt.
  tasks jsonb not null,
  -- The order whose contact data, once destroyed, takes what was written in a ticket along.
  follows uuid,
  owner uuid references workers on update cascade on delete set null,
  owned_since timestamptz,
  -- New at each taking: tells a late statement of an owner from one of its next ownership.
  fence uuid not null default gen_random_uuid(),
  -- How often it was derived: an owner that let it go would miss what came meanwhile.
  changes bigint not null default 0,
  -- By the name of a task that was tried and is still due: {"tries": 2, "notBeforeMs": when it is tried again}.
  retries jsonb not null default '{}',
  failing_since timestamptz,
  -- Version of the rules it was derived by: processes with older rules leave it alone.
  rules integer not null
);
create index work_by_due on work (due_at);
create index work_owned on work (owner) where owner is not null;
create index work_to_destroy on work (destroys_at, subject_id) where destroys_at is not null;
create index work_following on work (follows) where follows is not null;
-- Down Migration
drop table work;
drop table workers;
