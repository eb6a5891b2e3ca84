-- Up Migration
-- One row a record. Its key lies in the key ring, never here: a row that is deleted stays on disk, in the write-ahead log and
-- in every backup, so what is destroyed is the key (docs/privacy.md). No column can hold what a person typed.
create table vault_records (
  record_id uuid primary key,
  subject uuid not null,
  data_class text not null check (data_class in ('application', 'contact')),
  kind text not null check (kind in ('application', 'signature', 'contact', 'groOrderReference', 'fingerprintKey')),
  schema_version integer not null,
  key_segment text not null check (key_segment ~ '^[0-9a-f]{32}$'),
  key_slot integer not null check (key_slot between 0 and 1023),
  -- 128 bits of a domain-separated SHA-256 of the key: tells keys apart, opens nothing.
  key_fingerprint text not null check (key_fingerprint ~ '^[0-9a-f]{32}$'),
  nonce bytea,
  -- With the authentication tag at its end.
  ciphertext bytea,
  due_at timestamptz not null,
  sealed_at timestamptz not null,
  destroyed_at timestamptz,
  -- A destroyed record's row stays as its tombstone: it keeps the id from being sealed again and the receipt repeatable.
  constraint destroyed_means_empty check (
    (destroyed_at is null and nonce is not null and ciphertext is not null)
    or (destroyed_at is not null and nonce is null and ciphertext is null)
  ),
  -- A slot serves once, for ever.
  constraint vault_key_slot_serves_once unique (key_segment, key_slot)
);
create index vault_records_of_subject on vault_records (subject) where destroyed_at is null;
create index vault_records_due on vault_records (due_at, record_id) where destroyed_at is null;
-- Down Migration
