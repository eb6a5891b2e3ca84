import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Site } from "./site.ts";
import { type SiteLog, toldAs } from "./site-log.ts";
import { until } from "./until.ts";

/** What the sandbox's mail server has received. */
export type MailWatch = {
  /** Times of arrival of each mail, by its id without the domain. */
  readonly arrivals: ReadonlyMap<string, readonly Date[]>;
  /** Reads what is newer, and stops. @throws Error when some were missed */
  readonly stop: () => Promise<void>;
};

/** The sandbox remembers this many. */
const remembered = 200;
/** Once a worker is back, the mails of many orders leave within seconds. */
const lookEveryMs = 500;
const captured = z.array(z.object({ messageId: z.string(), receivedAt: z.coerce.date() }));

/** Watches until `stop`, or until `closing` ends what it watches. */
export function watchMails({ url }: Site, closing: AsyncDisposableStack): MailWatch {
  const arrivals = new Map<string, Date[]>();
  const seen = new Set<string>();
  const stopping = new AbortController();

  async function read(): Promise<void> {
    // Kept open while a proof counts for seconds, the connection would be found closed.
    const headers = { accept: "application/json", connection: "close" };
    const answer = await fetch(`${url}/sandbox/mail`, { headers });
    const mails = captured.parse(await answer.json());
    const fresh = mails.filter(({ messageId, receivedAt }) => !seen.has(keyOf(messageId, receivedAt)));
    if (fresh.length === remembered) throw new Error("More mails arrived than the sandbox remembers.");
    for (const { messageId, receivedAt } of fresh) {
      seen.add(keyOf(messageId, receivedAt));
      const id = messageId.replace(/^<|@.*$/g, "");
      arrivals.set(id, [...(arrivals.get(id) ?? []), receivedAt]);
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await read();
      await delay(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await read();
  }

  const watching = watch();
  watching.catch(() => undefined); // `stop` reports it.
  closing.defer(() => stopping.abort());
  return {
    arrivals,
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

const keyOf = (messageId: string, receivedAt: Date) => `${messageId} ${receivedAt.toISOString()}`;

/**
 * Compares the mails with the log. One that left and is not on record is sent again: better twice than never; one that
 * is on record is not. Of orders that were paid for together, one's mail tells of all. Mails leave meanwhile.
 * @param withinMs for one that has left to be on record
 */
export async function wrongMails({ log }: Site, mails: MailWatch, withinMs: number): Promise<string[]> {
  const recorded = await mailsOnRecord(log);
  await mails.stop();
  const { arrivals } = mails;
  const ofArrivals = async () => {
    const later = await mailsOnRecord(log);
    return new Map([...arrivals.keys()].map((id) => [id, later.get(id)] as const));
  };
  const recordedAt = await until(withinMs, ofArrivals, (all) =>
    [...all.values()].every((at) => at !== undefined),
  );
  const findings = [...recorded.keys()]
    .filter((id) => !arrivals.has(id))
    .map((id) => `mail ${id} is on record and did not arrive`);
  for (const [id, times] of arrivals) {
    const at = recordedAt.get(id);
    if (at === undefined) findings.push(`mail ${id} arrived and is not on record`);
    else if (times.some((time) => time > at)) findings.push(`mail ${id} left again after it was on record`);
  }
  return findings;
}

/** When each was recorded, by its id. */
async function mailsOnRecord(log: SiteLog): Promise<ReadonlyMap<string, Date>> {
  const events = await log.events();
  const toldElsewhere = new Set(events.flatMap((event) => event.toldElsewhere));
  const mails = events.flatMap(({ stream, mail }) =>
    mail && !toldElsewhere.has(toldAs(stream, mail)) ? [mail] : [],
  );
  return new Map(mails.map(({ id, at }) => [id, at]));
}
