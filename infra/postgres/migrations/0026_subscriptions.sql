-- Up Migration
-- Followers of one process share a lease and a checkpoint: the row of their subscription. Meanwhile the place in a member's own row is out of use.
-- Older code: finds the lease of a member held for ever, so it stays on standby; taking it by force violates the constraint.
alter table followers
  add column is_shared boolean not null default false,
  -- The name of the subscription that the follower is a member of.
  add column subscription text,
  add constraint followers_members_hold_no_lease check (subscription is null or (lease_until = 'infinity' and not is_shared));
-- Where each follower is, and who may move it on, whether by its own row or by its subscription's.
create view follower_checkpoints as
select
  own.name, own.version, own.subscription,
  case when shared.name is null then own.position else shared.position end as position,
  case when shared.name is null then own.event_id else shared.event_id end as event_id,
  case when shared.name is null then own.log_id else shared.log_id end as log_id,
  case when shared.name is null then own.fence else shared.fence end as fence,
  case when shared.name is null then own.lease_until else shared.lease_until end as lease_until,
  case when shared.name is null then own.state else shared.state end as state,
  case when shared.name is null then own.stop_reason else shared.stop_reason end as stop_reason,
  case when shared.name is null then own.stop_position else shared.stop_position end as stop_position
from followers as own
left join followers as shared on shared.is_shared and shared.name = own.subscription
where not own.is_shared;
-- Down Migration
drop view follower_checkpoints;
alter table followers drop column subscription, drop column is_shared;
