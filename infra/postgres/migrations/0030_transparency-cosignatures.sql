-- Up Migration
-- What each witness signed last. It belongs to the published checkpoint only while their notes are the same.
create table transparency_cosignatures (
  -- Its verifier key.
  witness text primary key,
  -- The checkpoint, as the log signed it.
  note text not null,
  -- A line of a note.
  signature text not null,
  -- By the witness's clock.
  cosigned_at timestamptz not null
);
-- Down Migration
drop table transparency_cosignatures;
