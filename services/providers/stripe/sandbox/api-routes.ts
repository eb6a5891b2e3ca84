import type { Express } from "express";
import { z } from "zod";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { type Answering, type Changing, idOf, paging, parse } from "./answering.ts";
import { ok } from "./answers.ts";
import { answerOfToken, listIntents, readIntent, StripeRefusal } from "./intents.ts";
import type { Ledger } from "./ledger.ts";
import { failureJson, intentJson, listJson, refundJson } from "./presenting.ts";
import { listRefunds, readRefund } from "./refunds-and-disputes.ts";

const newIntent = z.object({
  amount: z.coerce.number().int().min(30).max(99_999_999),
  currency: z.literal("gbp"),
  metadata: z.record(z.string(), z.string()).default({}),
});
const confirmation = z.object({ payment_method: z.string(), return_url: z.url().optional() });
const search = paging.extend({ query: z.string() });

/** Payment intents: create, read, list, search by one metadata field, confirm, cancel. */
export function addIntentRoutes(
  app: Express,
  { pool, ledger, answer, change }: { pool: Pool; ledger: Ledger; answer: Answering; change: Changing },
): void {
  app.post("/v1/payment_intents", (request, response) =>
    answer(request, response, async (asked) => ledger.open(asked, parse(newIntent, request.body))),
  );
  app.get("/v1/payment_intents", async (request, response) => {
    const { limit } = parse(paging, request.query);
    response.json(listJson(request.path, (await listIntents(pool, limit)).map(intentJson), limit));
  });
  app.get("/v1/payment_intents/search", async (request, response) => {
    const { limit, query } = parse(search, request.query);
    const [, name, value] = /^metadata\[["'](\w+)["']\]:["']([\w-]+)["']$/.exec(query) ?? [];
    if (name === undefined || value === undefined) {
      throw new StripeRefusal(400, "The sandbox searches for one metadata field only.");
    }
    const found = await listIntents(pool, limit, { name, value });
    response.json({
      ...listJson(request.path, found.map(intentJson), limit),
      object: "search_result",
      next_page: null,
    });
  });
  app.get("/v1/payment_intents/:id", async (request, response) => {
    response.json(intentJson(await readIntent(pool, idOf(request))));
  });
  app.post("/v1/payment_intents/:id/confirm", (request, response) =>
    change(request, response, async (client) => {
      const { payment_method, return_url } = parse(confirmation, request.body);
      const bank = answerOfToken(payment_method);
      if (!bank) throw new StripeRefusal(404, "No such PaymentMethod.", { code: "resource_missing" });
      const read = () => readIntent(client, idOf(request));
      const intent = await ledger.charge(read, bank, return_url ?? null, client);
      if (!intent.failure) return ok(intentJson(intent));
      return {
        status: 402,
        body: { error: { ...failureJson(intent.failure), payment_intent: intentJson(intent) } },
      };
    }),
  );
  app.post("/v1/payment_intents/:id/cancel", (request, response) =>
    change(request, response, async (client) =>
      ok(intentJson(await ledger.cancel(() => readIntent(client, idOf(request)), client))),
    ),
  );
}

const newRefund = z.object({
  payment_intent: z.string(),
  amount: z.coerce.number().int().min(1).optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});
const refundPaging = paging.extend({ payment_intent: z.string().optional() });

/** Refunds: create, read, list of one intent or of all. */
export function addRefundRoutes(
  app: Express,
  { pool, ledger, change }: { pool: Pool; ledger: Ledger; change: Changing },
): void {
  app.post("/v1/refunds", (request, response) =>
    change(request, response, async (client) => {
      const { payment_intent: intentId, amount, metadata } = parse(newRefund, request.body);
      return ok(refundJson(await ledger.refund(client, { intentId, amount, metadata })));
    }),
  );
  app.get("/v1/refunds", async (request, response) => {
    const { limit, payment_intent } = parse(refundPaging, request.query);
    const refunds = await listRefunds(pool, limit, payment_intent ?? null);
    response.json(listJson(request.path, refunds.map(refundJson), limit));
  });
  app.get("/v1/refunds/:id", async (request, response) => {
    response.json(refundJson(await readRefund(pool, idOf(request))));
  });
}

/** Events, newest first, as announced by webhooks or not. */
export function addEventRoutes(app: Express, pool: Pool): void {
  app.get("/v1/events", async (request, response) => {
    const { events, hasMore } = await listEvents(pool, parse(eventListing, request.query));
    response.json({ object: "list", url: request.path, has_more: hasMore, data: events });
  });
  app.get("/v1/events/:id", async (request, response) => {
    const { rows } = await pool.query<{ body: JsonObject }>("select body from sandbox.events where id = $1", [
      idOf(request),
    ]);
    if (!rows[0]) throw new StripeRefusal(404, "No such event.", { code: "resource_missing" });
    response.json(rows[0].body);
  });
}

const moment = z.coerce.number().int().min(0);
const span = z.strictObject({ gt: moment, gte: moment, lt: moment, lte: moment }).partial();
const flag = z.enum(["true", "false"]).transform((word) => word === "true");

/** Stripe's parameters of an event list: https://docs.stripe.com/api/events/list */
const eventListing = paging
  .extend({
    delivery_success: flag.optional(),
    type: z.string().optional(),
    types: z.array(z.string()).max(20).optional(),
    created: z
      .union([moment.transform((at): z.output<typeof span> => ({ gte: at, lte: at })), span])
      .optional(),
    starting_after: z.string().optional(),
    ending_before: z.string().optional(),
  })
  .refine(({ type, types }) => type === undefined || types === undefined, {
    error: "You may not specify both type and types.",
  })
  .refine(
    ({ starting_after, ending_before }) => starting_after === undefined || ending_before === undefined,
    {
      error: "You may not specify both starting_after and ending_before.",
    },
  );

type Listing = z.output<typeof eventListing>;
type Row = { body: JsonObject };

/**
 * One page of events, newest first. An event counts as delivered once all its webhooks were accepted. `ending_before`
 * returns the events just newer than that one, not the newest of all.
 * @throws StripeRefusal (400) when the cursor's event does not exist
 */
async function listEvents(
  pool: Pool,
  listing: Listing,
): Promise<{ events: readonly JsonObject[]; hasMore: boolean }> {
  const { limit, delivery_success: delivered, type, types, created = {} } = listing;
  const isBackwards = listing.ending_before !== undefined;
  const cursor = await positionOf(pool, listing.ending_before ?? listing.starting_after);
  const order = isBackwards ? "asc" : "desc";
  const { rows } = await pool.query<Row>(
    `select body from sandbox.events as event
     where ($1::text[] is null or type = any($1))
       and ($2::bigint is null or (body ->> 'created')::bigint >= $2)
       and ($3::bigint is null or (body ->> 'created')::bigint > $3)
       and ($4::bigint is null or (body ->> 'created')::bigint <= $4)
       and ($5::bigint is null or (body ->> 'created')::bigint < $5)
       and ($6::boolean is null or $6 = not exists (
         select from sandbox.deliveries where target = 'stripe' and message_id = event.id))
       and ($7::text is null or case when $9 then (created_at, id) > ($8::timestamptz, $7)
         else (created_at, id) < ($8::timestamptz, $7) end)
     order by created_at ${order}, id ${order} limit $10 + 1`,
    [
      ...[types ?? (type === undefined ? null : [type])],
      ...[created.gte ?? null, created.gt ?? null, created.lte ?? null, created.lt ?? null],
      ...[delivered ?? null, cursor?.id ?? null, cursor?.at ?? null, isBackwards, limit],
    ],
  );
  const found = rows.slice(0, limit).map(({ body }) => body);
  return { events: isBackwards ? found.reverse() : found, hasMore: rows.length > limit };
}

/** As text, because a Date is less precise than the column. */
async function positionOf(
  pool: Pool,
  id: string | undefined,
): Promise<{ id: string; at: string } | undefined> {
  if (id === undefined) return undefined;
  const { rows } = await pool.query<{ id: string; at: string }>(
    "select id, created_at::text as at from sandbox.events where id = $1",
    [id],
  );
  if (rows[0]) return rows[0];
  throw new StripeRefusal(400, `No such event: '${id}'`, { code: "resource_missing" });
}
