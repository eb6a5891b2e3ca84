-- Up Migration
-- What the payment provider is asked about in case its notice was lost. Derived from the log by the follower "open-payments":
-- it may be emptied at any time, together with that follower's row.
create table open_payments (
  kind text not null check (kind in ('intent', 'dispute')),
  -- The provider's id of it.
  provider_id text not null,
  order_id uuid not null,
  ask_at timestamptz not null,
  asks integer not null default 0,
  primary key (kind, provider_id)
);
create index open_payments_by_ask on open_payments (ask_at);
create index open_payments_of_order on open_payments (order_id);
-- Down Migration
drop table open_payments;
