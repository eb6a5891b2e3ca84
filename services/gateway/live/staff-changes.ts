import { z } from "zod";
import type { staffUpdate, Topic } from "../../../contract/back-office/overview.ts";
import { beginning, type Position, type StoredEvent } from "../../../infra/event-store/event-store.ts";

type Change = Readonly<z.output<typeof staffUpdate>>;

/** More changes of one topic than this are reported as one without a name: pages reload the list anyway. */
const mostKeys = 20;

const subject = /^(order|ticket)-(.+)$/;
const topicOf = { order: "orders", ticket: "tickets" } as const;

type Named = Change & { readonly key: string };

/** Topic and key of an event, from the stream's name alone; undefined for streams that no page shows. */
export function changeOf({ stream }: Pick<StoredEvent, "stream">): Named | undefined {
  if (stream === "settings") return { topic: "settings", key: "settings" };
  const [, kind, key] = subject.exec(stream) ?? [];
  if ((kind !== "order" && kind !== "ticket") || key === undefined) return undefined;
  return { topic: topicOf[kind], key };
}

const aboutCustomers = z.object({ userId: z.string() });

/** The user whose role an event changed; undefined for all other events. */
export function roleChangedIn({ type, data }: Pick<StoredEvent, "type" | "data">): string | undefined {
  if (type !== "StaffGranted" && type !== "StaffRevoked") return undefined;
  const parsed = aboutCustomers.safeParse(data);
  return parsed.success ? parsed.data.userId : undefined;
}

export function createCollected() {
  const keys = new Map<Topic, Set<string>>();
  let newest: Position = beginning;
  return {
    add({ topic, key }: Named, position: Position): void {
      keys.set(topic, (keys.get(topic) ?? new Set()).add(key));
      if (position > newest) newest = position;
    },
    isEmpty: (): boolean => keys.size === 0,
    /** Empties the collection. @returns the changes, each once, with the newest position */
    take(): { readonly changes: readonly Change[]; readonly position: Position } {
      const changes = [...keys].flatMap(([topic, named]): Change[] =>
        named.size > mostKeys ? [{ topic, key: null }] : [...named].map((key) => ({ topic, key })),
      );
      keys.clear();
      return { changes, position: newest };
    },
  };
}
