import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { between, pick } from "../../services/operations/seed/seeded-random.ts";

/** A webhook as its sender signed it. */
export type Webhook = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Stands between the sandbox and the gateways: takes each webhook at once, and passes it on badly. */
export type Relay = {
  readonly url: string;
  readonly counts: { taken: number; copies: number; replays: number };
  /** Resolves when every copy was taken by a gateway, or refused. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type RelayOptions = {
  readonly random: () => number;
  /** How late a copy may come; a replay, four times as late. */
  readonly latestMs: number;
  readonly gateways: () => readonly string[];
  /** Called with each webhook as it comes. */
  readonly onTaken: (webhook: Webhook) => void;
  readonly onRefused: (webhook: Webhook, status: number) => void;
};

const signed = ["stripe-signature", "webhook-id", "webhook-timestamp", "webhook-signature"] as const;
/** Of so many webhooks, one is replayed: by count, so that a short run has some. */
const replayedOneIn = 3;
const triesAtMost = 60;
const betweenTriesMs = 500;

/** One to three copies of each webhook, at random times, so that others overtake it, and some once more much later. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { random, latestMs, gateways, onTaken, onRefused } = options;
  const counts = { taken: 0, copies: 0, replays: 0 };
  const underWay = new Set<Promise<void>>();

  async function passOn(webhook: Webhook, afterMs: number): Promise<void> {
    await delay(afterMs);
    const status = await delivered(webhook, () => pick(random, gateways()));
    if (status !== 200) onRefused(webhook, status);
  }

  function take(webhook: Webhook): void {
    counts.taken += 1;
    const copies = Array.from({ length: between(random, 1, 3) }, () => random() * latestMs);
    const replays = counts.taken % replayedOneIn === 0 ? [latestMs * (1 + 3 * random())] : [];
    counts.copies += copies.length;
    counts.replays += replays.length;
    for (const afterMs of [...copies, ...replays]) {
      const passing = passOn(webhook, afterMs);
      underWay.add(passing);
      void passing.finally(() => underWay.delete(passing));
    }
    onTaken(webhook);
  }

  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.end();
    take({ path: request.url ?? "", headers: headersOf(request.headers), body });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The relay has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const headersOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    signed.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

/** Delivers it until a gateway answers, as a provider does. @returns the last status, 0 without an answer */
export async function delivered(webhook: Webhook, gateway: () => string): Promise<number> {
  let status = 0;
  for (let tries = 0; tries < triesAtMost; tries++) {
    status = await deliver(webhook, gateway());
    if (status >= 200 && status < 500) break;
    await delay(betweenTriesMs);
  }
  return status;
}

async function deliver({ path, headers, body }: Webhook, gateway: string): Promise<number> {
  try {
    const answer = await fetch(gateway + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // The connection broke: the provider sends it again.
    return 0;
  }
}
