-- Up Migration
-- What each order is owed, derived from the log: the jobs' hint and the sweep's list. May be emptied and rebuilt at any time.
create table duties (
  order_id uuid not null,
  name text not null,
  kind text not null,
  due_at timestamptz not null,
  -- When the sweep looks at it; later than due_at after it went wrong.
  look_at timestamptz not null,
  tries integer not null default 0,
  primary key (order_id, name)
);
create index duties_by_look on duties (look_at);
-- Down Migration
