import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";

/** Arbitrary, but the same in every process. */
const schemaLock = 7_306_540;

/**
 * What real providers would remember across our restarts. No card data, no personal data: ids, amounts, states, pending
 * deliveries, and the invented names of signed-in people. Not among the product's migrations, because a live system has
 * no such schema.
 */
const tables = `
  create schema if not exists sandbox;
  create table if not exists sandbox.intents (
    id text primary key,
    amount integer not null,
    currency text not null,
    status text not null,
    client_secret text not null unique,
    metadata jsonb not null,
    failure jsonb,
    return_url text,
    created_at timestamptz not null
  );
  create index if not exists intents_by_order on sandbox.intents ((metadata ->> 'orderId'));
  create table if not exists sandbox.refunds (
    id text primary key,
    intent_id text not null references sandbox.intents,
    amount integer not null,
    status text not null,
    failure_reason text,
    metadata jsonb not null,
    created_at timestamptz not null
  );
  create index if not exists refunds_by_intent on sandbox.refunds (intent_id);
  create table if not exists sandbox.disputes (
    id text primary key,
    intent_id text not null references sandbox.intents,
    amount integer not null,
    reason text not null,
    status text not null,
    created_at timestamptz not null
  );
  create index if not exists disputes_by_intent on sandbox.disputes (intent_id);
  create table if not exists sandbox.events (
    id text primary key,
    type text not null,
    body jsonb not null,
    created_at timestamptz not null
  );
  create table if not exists sandbox.answers (
    idempotency_key text primary key,
    fingerprint text not null,
    status integer not null,
    body jsonb not null
  );
  create table if not exists sandbox.submissions (
    key text primary key,
    order_number text not null,
    gro_order_reference text not null,
    accepted_at timestamptz not null
  );
  create index if not exists submissions_by_order on sandbox.submissions (order_number);
  -- A key that an inquiry closed has a row too, of nothing else: one primary key decides between the two.
  alter table sandbox.submissions alter column order_number drop not null,
    alter column gro_order_reference drop not null, alter column accepted_at drop not null;
  create index if not exists submissions_by_reference on sandbox.submissions (gro_order_reference);
  create table if not exists sandbox.outcomes (
    id bigint generated always as identity primary key,
    key text not null references sandbox.submissions,
    kind text not null,
    occurred_at timestamptz not null
  );
  create index if not exists outcomes_by_key on sandbox.outcomes (key);
  create table if not exists sandbox.deliveries (
    id bigint generated always as identity primary key,
    target text not null,
    message_id text not null,
    body text not null,
    due_at timestamptz not null,
    claimed_until timestamptz,
    attempts integer not null default 0
  );
  create index if not exists deliveries_by_due on sandbox.deliveries (due_at);
  create table if not exists sandbox.people (
    user_id text primary key,
    username text not null,
    role text
  );
  create table if not exists sandbox.sessions (
    id text primary key,
    secret_hash text not null unique,
    user_id text not null references sandbox.people,
    ends_at timestamptz not null
  );
  create index if not exists sessions_by_person on sandbox.sessions (user_id);
`;

/** Creates missing sandbox tables. Concurrent processes queue for a lock. */
export async function createSandboxSchema(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock($1)", [schemaLock]);
    await client.query(tables);
  });
}
