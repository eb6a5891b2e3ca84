-- Up Migration
-- Where parts of the log begin that can be read at once: the event in every 16,384th leaf.
create table transparency_marks (
  -- Leaves up to and including that event.
  size bigint primary key,
  position text collate "C" not null,
  event_id text not null
);
-- Older code: it writes the two kinds that the wider check still takes. It cannot read an audit of new events: its page
-- of audits shows an error until that process is replaced.
-- 'new-events': read since the last audit, from the checkpoint that it verified.
alter table audit_runs drop constraint audit_runs_kind_check;
alter table audit_runs add constraint audit_runs_kind_check check (kind in ('whole', 'new-events', 'following'));
-- Down Migration
delete from audit_runs where kind = 'new-events';
alter table audit_runs drop constraint audit_runs_kind_check;
alter table audit_runs add constraint audit_runs_kind_check check (kind in ('whole', 'following'));
drop table transparency_marks;
