-- Up Migration
-- The vault keeps the texts of the GRO's questions.
-- Older code: seals none of the new kind; every kind that it seals is still taken.
alter table vault_records drop constraint vault_records_kind_check;
alter table vault_records add constraint vault_records_kind_check check (
  kind in (
    'application', 'signature', 'contact', 'groOrderReference', 'fingerprintKey',
    'ticketContact', 'ticketMessage', 'ticketNote', 'orderNote', 'bankTransfer',
    'savedDraft', 'savedDraftLink', 'groQuestion'
  )
);
-- Down Migration
