-- Up Migration
-- The vault keeps the files that came with messages in tickets, and mails as they came.
-- Older code: seals none of the new kinds; every kind that it seals is still taken.
alter table vault_records drop constraint vault_records_kind_check;
alter table vault_records add constraint vault_records_kind_check check (
  kind in (
    'application', 'signature', 'contact', 'groOrderReference', 'fingerprintKey',
    'ticketContact', 'ticketMessage', 'ticketNote', 'orderNote', 'bankTransfer',
    'savedDraft', 'savedDraftLink', 'groQuestion', 'ticketAttachment', 'ticketOriginal'
  )
);
-- Down Migration
