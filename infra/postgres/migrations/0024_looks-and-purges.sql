-- Up Migration
-- With how many days of keeping a record's due time was reckoned; null where it hangs on no setting. When the setting is shortened,
-- what is due by it is found here.
alter table vault_records add column kept_days integer;
create index vault_records_kept on vault_records (kept_days, due_at, record_id)
  where kept_days is not null and destroyed_at is null;
-- The order whose contact data, once destroyed, takes what was written in a ticket along.
alter table duties add column follows uuid;
create index duties_following on duties (follows) where follows is not null;
-- What is to be destroyed, the longest due first; and the applications among it, which the alarm watches.
create index duties_to_destroy on duties (due_at, subject_id, name) where kind in ('purge', 'destroyRecord');
create index duties_application_purges on duties (due_at) where kind = 'purge' and name like 'purge-application-%';
-- Down Migration
drop index duties_application_purges;
drop index duties_to_destroy;
drop index duties_following;
alter table duties drop column follows;
drop index vault_records_kept;
alter table vault_records drop column kept_days;
