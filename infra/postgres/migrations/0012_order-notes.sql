-- Up Migration
-- The vault keeps what staff note about an order, with the contact data that it is about.
alter table vault_records drop constraint vault_records_kind_check;
alter table vault_records add constraint vault_records_kind_check check (
  kind in (
    'application', 'signature', 'contact', 'groOrderReference', 'fingerprintKey',
    'ticketContact', 'ticketMessage', 'ticketNote', 'orderNote'
  )
);
-- Down Migration
