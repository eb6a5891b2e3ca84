-- Up Migration
-- The Merkle tree over the log: one leaf for each event, in order. Moved in the transaction of the follower's own checkpoint.
create table transparency_tree (
  only_row boolean primary key default true check (only_row),
  size bigint not null default 0,
  -- Of the event in the last leaf.
  position text collate "C" not null default '',
  event_id text not null default ''
);
insert into transparency_tree default values;
-- Hashes of 32 bytes, 256 in a full tile. Level 0 has full tiles only: the newest leaves are in the tail.
create table transparency_tiles (
  level smallint not null,
  number bigint not null,
  hashes bytea not null,
  primary key (level, number)
);
-- Hashes do not compress.
alter table transparency_tiles alter column hashes set storage external;
-- Leaves after the last full tile, as they came: rewriting a growing tile for each batch would write ten times as much.
create table transparency_tail (
  first bigint primary key,
  hashes bytea not null
);
-- Where the leaves are that are proved to customers.
create table transparency_receipts (
  event_id uuid primary key,
  index bigint not null
);
-- Down Migration
drop table transparency_receipts;
drop table transparency_tail;
drop table transparency_tiles;
drop table transparency_tree;
