-- Up Migration
-- The key folder that this database's personal data is sealed with: a hash of a secret in that folder, null before the
-- first start. Starting with another folder would look healthy, and every purge would fail.
alter table installation add column key_folder text check (key_folder ~ '^[0-9a-f]{64}$');
-- Down Migration
