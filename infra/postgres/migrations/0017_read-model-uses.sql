-- Up Migration
-- Which processes use which version of a read model: one that only reads holds no lease, and must not lose its tables either.
create table read_model_uses (
  name text not null,
  version integer not null,
  process text not null,
  -- Renewed while the process lives; after this it counts as gone.
  until timestamptz not null,
  primary key (name, version, process)
);
-- Down Migration
drop table read_model_uses;
