-- Up Migration
-- When the automation service is asked what became of an order that is past its day of despatch. Derived from the log by the follower
-- "overdue-orders": it may be emptied at any time, together with that follower's row.
create table overdue_orders (
  order_id uuid primary key,
  -- The GRO has the application as it now stands.
  submitted boolean not null,
  ask_at timestamptz not null,
  -- How often the service has answered.
  asks integer not null default 0
);
create index overdue_orders_by_ask on overdue_orders (ask_at) where submitted;
-- Down Migration
drop table overdue_orders;
