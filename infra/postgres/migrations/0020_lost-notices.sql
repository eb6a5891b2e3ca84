-- Up Migration
-- How far the payment provider's undelivered events have been taken: one row, made by whoever looks first. It may be deleted at any time:
-- the search then begins 30 days back, and what is known already changes nothing.
create table lost_notice_search (
  only_row boolean primary key default true check (only_row),
  look_at timestamptz not null,
  -- Everything before is taken.
  from_at timestamptz not null,
  -- Of a walk that is under way, from the newest to the oldest: where it began, and the event that it goes on from.
  until_at timestamptz,
  after_event text,
  tries integer not null default 0
);
-- Down Migration
drop table lost_notice_search;
