import type { JsonObject } from "../../../../infra/json.ts";
import type { Message, Telling } from "../../sandbox/deliveries.ts";
import type { Answer, Asked } from "./answers.ts";
import { type Intent, insertedColumns, insertedValues } from "./intents.ts";

/** An event, and the webhooks that announce it, if any. */
export type Announced = {
  id: string;
  type: string;
  body: JsonObject;
  at: Date;
  messages: readonly Message[];
};

const eventValues = ({ id, type, body, at }: Announced): readonly unknown[] => [id, type, body, at];
const insertEvent = "insert into sandbox.events (id, type, body, created_at)";

/** Answers a request with a new intent. Its key decides: a concurrent request under the same one waits for this. */
export const openingOf = (asked: Asked, answer: Answer, intent: Intent, announced: Announced): Telling => ({
  name: "sandbox-open-intent",
  facts: `
    fact as (
      insert into sandbox.answers (idempotency_key, fingerprint, status, body) values ($5, $6, $7, $8)
      on conflict (idempotency_key) do nothing returning idempotency_key
    ),
    intent as (
      insert into sandbox.intents (${insertedColumns})
      select $9, $10, $11, $12, $13, $14, $15, $16, $17 from fact
    ),
    event as (${insertEvent} select $1, $2, $3, $4 from fact)`,
  values: [
    ...eventValues(announced),
    ...[asked.key, asked.fingerprint, answer.status, answer.body],
    ...insertedValues(intent),
  ],
  messages: announced.messages,
});

/** Changes an intent, if it still is as it was read: a concurrent change is waited for, and then there is no fact. */
export const changeOf = (before: Intent, after: Intent, announced: Announced): Telling => ({
  name: "sandbox-change-intent",
  facts: `
    fact as (
      update sandbox.intents set status = $9, failure = $10, return_url = $11
      where id = $5 and (status, failure, return_url) is not distinct from ($6, $7, $8)
      returning id
    ),
    event as (${insertEvent} select $1, $2, $3, $4 from fact)`,
  values: [
    ...eventValues(announced),
    ...[before.id, before.status, before.failure, before.returnUrl],
    ...[after.status, after.failure, after.returnUrl],
  ],
  messages: announced.messages,
});

/** An event of what its transaction changes. */
export const eventOf = (announced: Announced): Telling => ({
  name: "sandbox-event",
  facts: `fact as (${insertEvent} values ($1, $2, $3, $4) returning id)`,
  values: eventValues(announced),
  messages: announced.messages,
});
