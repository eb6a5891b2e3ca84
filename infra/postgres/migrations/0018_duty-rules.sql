-- Up Migration
-- By which version of the rules a duty was listed: during a deploy, processes with older rules leave it alone, for to them
-- nothing of the kind is owed.
alter table duties add column rules integer not null default 1;
-- Down Migration
alter table duties drop column rules;
