-- Up Migration
-- Finding people by e-mail address, surname or postcode without keeping any of them (docs/privacy.md).

-- One key a calendar month, in the key ring and never here. Emptied months lose their key; the row stays as its tombstone.
create table index_keys (
  key_id uuid primary key,
  -- The first day of the month in which it is used for new rows.
  month date not null check (extract(day from month) = 1),
  key_segment text not null check (key_segment ~ '^[0-9a-f]{32}$'),
  key_slot integer not null check (key_slot between 0 and 1023),
  key_fingerprint text not null check (key_fingerprint ~ '^[0-9a-f]{32}$'),
  made_at timestamptz not null,
  destroyed_at timestamptz,
  unique (key_segment, key_slot)
);
create unique index index_keys_one_a_month on index_keys (month) where destroyed_at is null;

-- What one contact record can be found by. A term is 128 bits of an HMAC under the month's key: without it, noise.
create table blind_index (
  key_id uuid not null references index_keys,
  kind text not null check (kind in ('email', 'surname', 'postcode')),
  term bytea not null check (octet_length(term) = 16),
  -- The contact record it was made from: both are destroyed together.
  record_id uuid not null,
  subject uuid not null,
  subject_kind text not null check (subject_kind in ('order', 'ticket')),
  -- Random. Whoever has one e-mail address is one customer, for as long as one of their records is left.
  customer_id uuid,
  primary key (key_id, kind, term, record_id),
  check ((customer_id is not null) = (kind = 'email'))
);
create index blind_index_of_record on blind_index (record_id);
create index blind_index_of_subject on blind_index (subject);
create index blind_index_of_customer on blind_index (customer_id) where customer_id is not null;

-- Empties the rows of destroyed records and takes out what they could be found by, in one transaction. Two statements, so that
-- the second sees what was indexed while the first waited for the record's row.
create function bury_vault_records(ids uuid[], at timestamptz) returns void language plpgsql volatile as $$
begin
  update vault_records set nonce = null, ciphertext = null, destroyed_at = at
    where record_id = any (ids) and destroyed_at is null;
  delete from blind_index where record_id = any (ids);
end
$$;
-- Down Migration
