-- Up Migration
-- People are found by what they saved of an unfinished order, for subject access and erasure.
-- Older code: its searches fail for people who have saved one; it writes none of the new kind.
alter table blind_index drop constraint blind_index_subject_kind_check;
alter table blind_index add constraint blind_index_subject_kind_check check (subject_kind in ('order', 'ticket', 'draft'));
-- Down Migration
