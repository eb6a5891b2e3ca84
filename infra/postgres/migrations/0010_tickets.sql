-- Up Migration
-- The vault keeps what is written in support tickets too.
alter table vault_records drop constraint vault_records_kind_check;
alter table vault_records add constraint vault_records_kind_check check (
  kind in (
    'application', 'signature', 'contact', 'groOrderReference', 'fingerprintKey',
    'ticketContact', 'ticketMessage', 'ticketNote'
  )
);
-- A duty is an order's or a ticket's.
alter table duties rename column order_id to subject_id;
-- Down Migration
