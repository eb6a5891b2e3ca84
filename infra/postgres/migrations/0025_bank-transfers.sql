-- Up Migration
-- The vault keeps what a bank calls a transfer by which staff gave money back, with the contact data that it is about.
-- Older code: seals none of the new kind; every kind that it seals is still taken.
alter table vault_records drop constraint vault_records_kind_check;
alter table vault_records add constraint vault_records_kind_check check (
  kind in (
    'application', 'signature', 'contact', 'groOrderReference', 'fingerprintKey',
    'ticketContact', 'ticketMessage', 'ticketNote', 'orderNote', 'bankTransfer'
  )
);
-- Down Migration
