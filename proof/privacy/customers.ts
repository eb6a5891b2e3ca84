import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { OperatorError } from "../../infra/process/operator-error.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { createLoadFigures } from "../speed/load/call-figures.ts";
import { CallFailed, type Customer, createCustomer } from "../speed/load/customer.ts";
import { placeOrder, placeTogether } from "../speed/load/order.ts";
import type { CustomerAddress } from "../speed/load/target.ts";
import type { Recognisable } from "./people.ts";
import type { Site } from "./site.ts";

const anything = z.unknown();
const opened = z.object({ id: z.string() });

type Sent = { readonly method?: "POST"; readonly headers?: Record<string, string>; readonly body?: string };

/** Sends a request from a person's own address. @returns the status of its answer */
function statusFor(
  { localAddress, forwardedFor }: CustomerAddress,
  url: string,
  sent: Sent,
): Promise<number> {
  const { method = "GET", body } = sent;
  const headers = { ...sent.headers, ...(forwardedFor !== undefined && { "X-Forwarded-For": forwardedFor }) };
  return new Promise((resolve, reject) => {
    const own = { method, headers, ...(localAddress !== undefined && { localAddress }) };
    const asked = request(url, own, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", reject).end(body);
  });
}

/** Requests as a person with bad luck sends them: typed into the wrong place, cut short, or incomplete. */
async function sendSpoilt({ target }: Site, { nth, bodies, words }: Recognisable): Promise<void> {
  const written = JSON.stringify(bodies.order);
  const typed = encodeURIComponent(words.join(" "));
  const send = async (path: string, sent: Sent = {}) => {
    const status = await statusFor(target.from(nth), `${target.url}${path}`, sent);
    // One that is refused by number would not be read.
    if (status >= 500 || status === 429)
      throw new OperatorError(`A spoilt request was answered with ${status}.`);
  };
  const headers = { "Content-Type": "application/json", "Idempotency-Key": words[2] ?? "" };
  const post = (path: string, body: string) => send(path, { method: "POST", headers, body });
  await post("/api/orders", written.slice(0, -2));
  await post("/api/orders", written.replace('"email"', '"mail"'));
  await post("/api/orders/lookup", JSON.stringify({ orderNumber: words[0] }));
  await post("/api/tickets", JSON.stringify({ ...bodies.ticket, category: words[1] }));
  await post(`/api/orders/${typed}/submit`, "{}");
  await send(`/track?order=${typed}`);
  await send(`/api/${typed}`, { headers: { Referer: `http://localhost/?${nth}=${typed}` } });
}

const repeatAfterMs = 500;

/** Repeats what the product could not do yet: it has just been started again. */
function patient(customer: Customer): Customer {
  return {
    ...customer,
    post: async (...call) => {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        try {
          return await customer.post(...call);
        } catch (error) {
          const isPassing = error instanceof CallFailed && error.message === "503";
          if (!isPassing || performance.now() > deadline) throw error;
          await delay(repeatAfterMs);
        }
      }
    },
  };
}

/** What people do apart from ordering, by their number. */
const savesFirst = (nth: number) => nth % 3 === 0;
const writes = (nth: number) => nth % 3 === 1;
/** The limit for mail of people that it does not know is 200 an hour. */
export const mails = ({ nth }: Recognisable) => nth % 8 === 5;
const spoils = (nth: number) => nth % 5 === 0;

/** As a mail server does: what could not be taken is sent again. */
async function sendMail({ mailPort }: Site, { bodies, mail }: Recognisable): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const transport = createTransport({ host: "127.0.0.1", port: mailPort, lmtp: true, ignoreTLS: true });
    try {
      const envelope = { from: bodies.order.email, to: "help@certificates.example" };
      await transport.sendMail({ envelope, raw: mail });
      return;
    } catch (error) {
      const isRefused =
        error instanceof Error && "responseCode" in error && Number(error.responseCode) >= 500;
      if (isRefused || performance.now() > deadline) throw error;
      await delay(repeatAfterMs);
    } finally {
      transport.close();
    }
  }
}

/** The person saves the order unfinished, orders and pays, and writes to support or by mail: each some of it. */
export async function order(site: Site, person: Recognisable): Promise<void> {
  const { target, cards } = site;
  const { nth, bodies } = person;
  const customer = patient(createCustomer(createLoadFigures(), target.from(nth)));
  const { url } = target;
  try {
    if (spoils(nth)) await sendSpoilt(site, person);
    if (savesFirst(nth)) await customer.post("save", `${url}/api/drafts`, bodies.draft, anything);
    const order = { ...bodies.order, ...(savesFirst(nth) && { savedDrafts: [bodies.draft.key] }) };
    const certificates = bodies.variants.map((variant) => ({ order, variant }));
    const [only, ...more] = certificates;
    if (only && more.length === 0) await placeOrder({ url, cards, customer, bodies: only });
    else await placeTogether({ url, cards, customer, bodies: certificates });
    if (writes(nth)) await customer.post("write", `${url}/api/tickets`, bodies.ticket, anything);
    if (mails(person)) await sendMail(site, person);
  } finally {
    customer.leave();
  }
}

const received = z.array(z.object({ key: z.string() }));

/**
 * The GRO asks about as many of the latest orders as there are people, with the text of one of them each, and then sends
 * the certificates without an answer.
 */
export async function askAndDespatch(site: Site, people: readonly Recognisable[]): Promise<void> {
  const { url } = site.target;
  const answer = await fetch(`${url}/sandbox/gro`, { headers: { Accept: "application/json" } });
  const latest = received.parse(await answer.json()).slice(0, people.length);
  const tell = async (key: string, notice: object): Promise<void> => {
    const body = JSON.stringify({ key, ...notice });
    const headers = { "Content-Type": "application/json" };
    const told = await fetch(`${url}/sandbox/gro/notices`, { method: "POST", headers, body });
    if (!told.ok) throw new OperatorError(`The GRO's notice was answered with ${told.status}.`);
  };
  for (const [nth, { key }] of latest.entries())
    await tell(key, { kind: "queried", question: people[nth]?.question });
  await untilCounted(site, "GROOutcomeRecorded", latest.length);
  for (const { key } of latest) await tell(key, { kind: "dispatched" });
  await untilCounted(site, "GROQuestionPurged", latest.length);
}

/** Until there are so many events of a type. */
export async function untilCounted({ pool }: Site, type: string, wanted: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await pool.query<{ n: number }>(
      "select count(*)::integer as n from events where type = $1",
      [type],
    );
    if ((rows[0]?.n ?? 0) >= wanted) return;
    if (performance.now() > deadline) throw new OperatorError(`Too few events: ${type}.`);
    await delay(repeatAfterMs);
  }
}

/** The person fills in everything and never pays. */
export async function leaveUnpaid({ target }: Site, { nth, bodies }: Recognisable): Promise<void> {
  const customer = createCustomer(createLoadFigures(), target.from(nth));
  try {
    for (const variant of bodies.variants) {
      const { id } = await customer.post("create", `${target.url}/api/orders`, bodies.order, opened);
      await customer.post("variant", `${target.url}/api/orders/${id}/variants`, variant, anything);
    }
  } finally {
    customer.leave();
  }
}

/** So many at once. */
export async function eachOf<One>(
  all: readonly One[],
  atOnce: number,
  does: (one: One) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await does(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
