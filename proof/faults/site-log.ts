import { z } from "zod";
import { orderStream } from "../../domain/order/events.ts";
import {
  beginning,
  type EventStore,
  type Position,
  type StoredEvent,
} from "../../infra/event-store/event-store.ts";

/** An event as the proofs compare it. */
type LoggedEvent = Pick<StoredEvent, "stream" | "type" | "position"> & {
  /** Of an event that a mail has left. */
  readonly mail: { readonly id: string; readonly template: string; readonly at: Date } | undefined;
  /** Of a mail that is to tell of several orders: those of the others, as `toldAs` names them. */
  readonly toldElsewhere: readonly string[];
};

/** The log of a site, wherever it is: what was read once is not read again. */
export class SiteLog {
  readonly store: EventStore;
  readonly #events: LoggedEvent[] = [];
  #reading: Promise<void> = Promise.resolve();

  constructor(store: EventStore) {
    this.store = store;
  }

  /** All events so far, in order. */
  async events(): Promise<readonly LoggedEvent[]> {
    this.#reading = this.#reading.then(() => this.#readOn());
    await this.#reading;
    return this.#events;
  }

  /** How often each order has an event of this type, by the order's id. */
  async timesOf(type: string): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>();
    for (const event of await this.events()) {
      if (event.type !== type || !event.stream.startsWith(orderPrefix)) continue;
      const id = event.stream.slice(orderPrefix.length);
      times.set(id, (times.get(id) ?? 0) + 1);
    }
    return times;
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const after: Position = this.#events.at(-1)?.position ?? beginning;
      const read = await this.store.readAll(after, readAtOnce);
      if (read.length === 0) return;
      this.#events.push(...read.map(logged));
    }
  }
}

const orderPrefix = orderStream("");
const readAtOnce = 5_000;

const mailTypes: ReadonlySet<string> = new Set(["ConfirmationSent", "MailSent"]);
const mailed = z.object({
  data: z.object({ template: z.string(), about: z.string() }),
  metadata: z.object({ at: z.coerce.date() }),
});
const confirmed = z.object({ orderId: z.string(), orderIds: z.array(z.string()) });
const prepared = z.object({
  template: z.string(),
  orderId: z.string(),
  mails: z.array(z.object({ orderId: z.string(), about: z.string() })),
});

/** A mail as it is known to the checkout that has another order's tell of it. */
export const toldAs = (
  stream: string,
  { id, template }: { readonly id: string; readonly template: string },
) => (template === "confirmation" ? `${template} ${stream}` : id);

function logged(event: StoredEvent): LoggedEvent {
  const { stream, type, position } = event;
  const one = { stream, type, position, mail: undefined, toldElsewhere: [] };
  if (type === "ConfirmationPrepared") {
    const { orderId, orderIds } = confirmed.parse(event.data);
    const others = orderIds.filter((id) => id !== orderId);
    return { ...one, toldElsewhere: others.map((id) => `confirmation ${orderStream(id)}`) };
  }
  if (type === "MailPrepared") {
    const { template, orderId, mails } = prepared.parse(event.data);
    const others = mails.filter((mail) => mail.orderId !== orderId);
    return { ...one, toldElsewhere: others.map(({ about }) => `${template}.${about}`) };
  }
  if (!mailTypes.has(type) || !stream.startsWith(orderPrefix)) return one;
  const { data, metadata } = mailed.parse(event);
  const { template, about } = data;
  return { ...one, mail: { id: `${template}.${about}`, template, at: metadata.at } };
}
