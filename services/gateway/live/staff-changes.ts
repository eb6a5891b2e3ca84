import { z } from "zod";
import type { staffUpdate, Topic } from "../../../contract/back-office/overview.ts";
import { beginning, type Position, type StoredEvent } from "../../../infra/event-store/event-store.ts";

export type Change = Readonly<z.output<typeof staffUpdate>>;

/** More than so many of one topic at once are told as one: a list that is asked for again shows them all. */
const mostKeys = 20;

const subject = /^(order|ticket)-(.+)$/;
const topicOf = { order: "orders", ticket: "tickets" } as const;

/** A change that is named. */
type Named = Change & { readonly key: string };

/** The topic and key of an event; undefined for streams that no page shows. It reads the stream's name alone, never what happened. */
export function changeOf({ stream }: Pick<StoredEvent, "stream">): Named | undefined {
  if (stream === "settings") return { topic: "settings", key: "settings" };
  const [, kind, key] = subject.exec(stream) ?? [];
  if ((kind !== "order" && kind !== "ticket") || key === undefined) return undefined;
  return { topic: topicOf[kind], key };
}

const aboutSomebody = z.object({ userId: z.string() });

/** Whose role an event changed; undefined for all other events. */
export function roleChangedIn({ type, data }: Pick<StoredEvent, "type" | "data">): string | undefined {
  if (type !== "StaffGranted" && type !== "StaffRevoked") return undefined;
  const parsed = aboutSomebody.safeParse(data);
  return parsed.success ? parsed.data.userId : undefined;
}

/** Collects changes until they are told, each once. */
export function createCollected() {
  const keys = new Map<Topic, Set<string>>();
  let newest: Position = beginning;
  return {
    add({ topic, key }: Named, position: Position): void {
      keys.set(topic, (keys.get(topic) ?? new Set()).add(key));
      if (position > newest) newest = position;
    },
    isEmpty: (): boolean => keys.size === 0,
    /** What was collected, and the newest position of it; then it is empty. */
    take(): { readonly changes: readonly Change[]; readonly position: Position } {
      const changes = [...keys].flatMap(([topic, named]): Change[] =>
        named.size > mostKeys ? [{ topic, key: null }] : [...named].map((key) => ({ topic, key })),
      );
      keys.clear();
      return { changes, position: newest };
    },
  };
}
