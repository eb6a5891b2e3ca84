-- Up Migration
-- Texts of settings, under their SHA-256. Events name the digest, so the chain of hashes covers the text; that is only worth
-- something while no row is ever changed.
create table settings_texts (
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
  content text not null check (digest = encode(sha256(convert_to(content, 'UTF8')), 'hex')),
  kept_at timestamptz not null default now()
);
create function settings_texts_stay() returns trigger language plpgsql as $$
begin
  raise exception 'texts of settings are only added';
end
$$;
create trigger settings_texts_stay before update or delete or truncate on settings_texts
  for each statement execute function settings_texts_stay();
-- Down Migration
