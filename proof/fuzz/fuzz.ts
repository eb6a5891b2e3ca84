import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { settingsStream } from "../../domain/settings/settings.ts";
import type { JsonObject } from "../../infra/json.ts";
import { apiDocument } from "../../services/gateway/document/api-document.ts";
import { accessRows, roles } from "../../testing/gateway/access-rows-fixture.ts";
import { startStackOn, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { TestDatabase } from "../../testing/postgres/test-database.ts";
import { type Plant, plantedRoute } from "./planted.ts";
import { type Plan, plansFor } from "./requests.ts";
import { type Sent, sendTo } from "./sending.ts";
import { edited, textOf } from "./spoiling.ts";
import { makeSubject, type Subject } from "./subjects.ts";

type FuzzOptions = {
  readonly seed: number;
  /** At least so many: the last round is finished. */
  readonly requests: number;
  readonly plant?: Plant;
  readonly onRound?: (requests: number) => void;
};

export type FuzzReport = {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly events: number;
  /** Routes that never answered with success. */
  readonly neverSucceeded: readonly string[];
  /** Empty when every claim holds. */
  readonly findings: readonly string[];
};

/** Requests to each route before the next subject. */
const inTurn = 6;
const mostFindings = 50;

/** Sends requests to a gateway on this database, one at a time, and closes both. */
export async function fuzz(database: TestDatabase, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, plant } = options;
  const findings: string[] = [];
  const counts = new Map<number, number>();
  let isArmed = false;
  const unlimited = { reads: 1e9, lookups: 1e9, commands: 1e9, contact: 1e9, webhooks: 1e9 };
  const stack: TestStack = await startStackOn(database, {
    limits: unlimited,
    outstandingPurges: async () => (isArmed && plant ? plant.act(stack) : []),
  });
  const routes = routesOf(stack).filter(({ name }) => !plant || name === plantedRoute);
  const succeeded = new Set<string>();
  const find = (finding: string) => {
    if (findings.length < mostFindings) findings.push(finding);
  };
  let sent = 0;

  async function shoot(name: string, plan: Plan, subject: Subject): Promise<void> {
    const made = await requestOf(stack, name, plan, subject);
    const before = await stack.store.head();
    const words = `seed ${seed}, request ${sent}, ${name} as ${plan.caller}: ${describe(made)}`;
    const answer = await send(made).catch((error: unknown) => find(`${words}: ${String(error)}`));
    if (!answer) return;
    const { status, text } = answer;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status < 400) succeeded.add(name);
    if (status >= 500 && status !== 503) find(`${words}: ${status} ${text.slice(0, 200)}`);
    if (status >= 400 && (await stack.store.head()) !== before)
      find(`${words}: ${status} ${text.slice(0, 200)}, and the log has grown`);
  }

  async function rounds(): Promise<void> {
    let subject: Subject | undefined;
    for (let round = 0; sent < options.requests; round++) {
      for (const [at, { name, plans }] of routes.entries()) {
        subject = await makeSubject(stack, name, round + at, subject);
        isArmed = true;
        for (const plan of fc.sample(plans, { seed: seed + 1_000 * round + at, numRuns: inTurn })) {
          sent += 1;
          await shoot(name, plan, subject);
        }
        isArmed = false;
      }
      options.onRound?.(sent);
    }
  }

  using send = sendTo(stack.url);
  let events = 0;
  try {
    await rounds();
    for (const finding of await unstored(stack)) find(finding);
    const { rows } = await stack.pool.query<{ n: number }>("select count(*) as n from events");
    events = rows[0]?.n ?? 0;
  } finally {
    // It holds each answer against the API's document, and says at the end what that does not allow.
    await stack.close().catch((error: unknown) => find(String(error)));
  }
  return {
    requests: sent,
    statuses: Object.fromEntries([...counts].sort(([one], [other]) => one - other)),
    events,
    neverSucceeded: routes.map(({ name }) => name).filter((name) => !succeeded.has(name)),
    findings,
  };
}

function routesOf({ routes }: TestStack) {
  const { paths } = apiDocument(routes, "http://localhost:3000");
  const operations = new Map<string, JsonObject>();
  for (const [path, methods] of Object.entries(objectIn(paths)))
    for (const [method, operation] of Object.entries(objectIn(methods)))
      operations.set(`${method.toUpperCase()} ${path}`, objectIn(operation));
  return [...operations].map(([name, operation]) => ({ name, plans: plansFor(name, operation) }));
}

const objectIn = (value: unknown): JsonObject => {
  if (typeof value !== "object" || value === null) throw new Error("The document lacks an object.");
  return Object.fromEntries(Object.entries(value));
};

/** What stands in each place of a path that is about the subject. */
function partsOf(
  pattern: string,
  { order, checkout, ticketNumber, messageId, customerId }: Subject,
): Readonly<Record<string, string>> {
  const ofCheckoutOrOrder = pattern.includes("/checkouts/") ? checkout.id : order.id;
  return {
    id: pattern.includes("/customers/") ? customerId : ofCheckoutOrOrder,
    orderNumber: order.orderNumber,
    ticketNumber,
    messageId,
    place: "0",
    service: "birth-certificate",
    tile: "0/x001/000.p/2",
  };
}

async function requestOf(stack: TestStack, name: string, plan: Plan, subject: Subject): Promise<Sent> {
  const { holder, other } = subject;
  const { caller, place, made, envelope } = plan;
  const [method = "", pattern = ""] = name.split(" ");
  const own = partsOf(pattern, subject);
  const absent: Readonly<Record<string, string>> = {
    id: randomUUID(),
    orderNumber: "0000-0000-00001",
    ticketNumber: "T-0000-0000-00001",
    messageId: randomUUID(),
  };
  const inPlace = (parameter: string): string => {
    if (place === "own") return own[parameter] ?? "";
    return place === "absent" ? (absent[parameter] ?? "x") : place.part;
  };
  const cookies = caller === "other" ? other.cookies : caller === "holder" ? holder.cookies : "";
  const isSignedIn = !["anonymous", "other", "holder"].includes(caller);
  // Another person each time: one of these requests signs a person out everywhere.
  const token = isSignedIn ? await stack.token(roles[caller], `caller-${randomUUID()}`) : undefined;
  const isPost = (plan.method ?? method) !== "GET" && (plan.method ?? method) !== "HEAD";
  return {
    method: plan.method ?? method,
    path:
      pattern.replace(/\{(\w+)\}/g, (_whole, parameter: string) => inPlace(parameter)) +
      (plan.query ?? made.query),
    headers: [
      ...(cookies === "" ? [] : [["Cookie", cookies] as const]),
      ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const]),
      ...Object.entries(made.headers),
      ...(isPost ? envelope.headers : []),
      ...plan.headers,
    ],
    body: isPost ? envelope.pack(Buffer.from(textOf(await bodyOf(stack, name, plan, subject)))) : undefined,
  };
}

/** Starts from a body that the rules accept, about the subject as it is, or from one made from the schema. */
async function bodyOf(stack: TestStack, name: string, plan: Plan, subject: Subject): Promise<unknown> {
  const valid = accessRows[name]?.body?.({ ...subject.order, position: "" });
  let body = plan.startsFromValid && valid !== undefined ? valid : plan.made.body;
  const facts = plan.isUpToDate ? await factsAbout(stack, name, subject) : {};
  for (const [member, value] of Object.entries(facts))
    if (isNamed(body, member)) body = { ...body, [member]: value };
  if (isNamed(body, "orderId")) body = { ...body, orderId: subject.order.id };
  for (const edit of plan.edits) body = edited(body ?? {}, edit);
  return body;
}

/** What a sender knows who has seen the newest state of all. */
async function factsAbout(
  stack: TestStack,
  name: string,
  { order, checkout, ticketNumber, messageId, draftKey }: Subject,
): Promise<Readonly<Record<string, unknown>>> {
  const { access, deps, store } = stack;
  const now = deps.now().toISOString();
  const seen = name.includes("{orderNumber}")
    ? (await stack.events(order.id)).length - 1
    : name.includes("/settings/")
      ? (await store.readStream(settingsStream)).length - 1
      : undefined;
  const inAnHour = new Date(deps.now().getTime() + 3_600_000);
  const link = new URL(
    access.trackingLink({ orderId: order.id, orderNumber: order.orderNumber, emailChanges: 0 }, inAnHour),
  );
  return {
    ...(seen !== undefined && { expectedRevision: seen }),
    ...(order.intentId !== undefined && { intentId: order.intentId }),
    ...(name.includes("/drafts/") && { key: draftKey }),
    ...(name.endsWith("/access") && { key: link.hash.replace("#key=", "") }),
    ...(name.endsWith("/checkouts") && { orderIds: checkout.orderIds }),
    ticketNumber,
    messageId,
    submittedAt: now,
    dispatchedAt: now,
  };
}

const isNamed = (value: unknown, name: string): value is object =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name);

/** What the read models could not take. */
async function unstored({ projections, store, pool }: TestStack): Promise<string[]> {
  const isThere = await projections.waitFor(await store.head(), 60_000);
  const stopped = (await projections.ready()).filter(({ state }) => state !== "ready");
  const parked = await pool.query<{ name: string; stream: string; reason: string }>(
    "select name, stream, reason from parked_streams order by since limit 20",
  );
  return [
    ...(isThere ? [] : ["The read models did not reach the end of the log within a minute"]),
    ...stopped.map(({ name, state, reason }) => `The read model ${name} is ${state}: ${reason}`),
    ...parked.rows.map(({ name, stream, reason }) => `${name} parked ${stream}: ${reason}`),
  ];
}

const describe = ({ method, path, headers, body }: Sent): string =>
  JSON.stringify({
    method,
    path: path.slice(0, 300),
    headers: headers
      .filter(([name]) => name !== "Authorization" && name !== "Cookie")
      .map(([name, value]) => `${name}: ${value.slice(0, 100)}`),
    body: body?.toString("utf8").slice(0, 2_000),
  });
