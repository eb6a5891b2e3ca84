-- Up Migration
-- The newest signed checkpoint of the transparency log, as it is published. The file beside the keys has it first.
create table transparency_checkpoint (
  only_row boolean primary key default true check (only_row),
  size bigint not null default 0,
  note text not null default '',
  signed_at timestamptz
);
insert into transparency_checkpoint default values;
-- Down Migration
drop table transparency_checkpoint;
