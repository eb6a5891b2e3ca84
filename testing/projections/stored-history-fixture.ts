import { addSeconds } from "../../domain/instant.ts";
import { orderStream } from "../../domain/order/events.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import type { JsonObject } from "../../infra/json.ts";
import { foldRows } from "../../projections/runner/fold-rows.ts";
import type { Projection } from "../../projections/runner/projection.ts";
import { orderId, start, uuid } from "../domain/order-fixture.ts";

/** An event and the seconds after the start at which it was recorded. */
type Happened = readonly [{ readonly type: string; readonly data: JsonObject }, number];

/** For tests: the domain's histories as the log would hold them. */
export function storedFrom(
  history: readonly Happened[],
  stream: string = orderStream(orderId),
): StoredEvent[] {
  return history.map(([{ type, data }, seconds], revision) => {
    const at = addSeconds(start, seconds);
    return {
      id: uuid(revision),
      stream,
      revision,
      type,
      data,
      metadata: {
        commandId: uuid(revision),
        fingerprint: null,
        actor: { kind: "system", id: "tester" },
        correlationId: "test",
        causationId: null,
        schemaVersion: 1,
        at,
        previousHash: null,
        hash: "",
      },
      position: String(revision),
      recordedAt: at,
    };
  });
}

/** The one row that a history is folded into: its columns, and what is folded. */
export function rowAfter<State>(
  projection: Projection<State>,
  history: readonly Happened[],
  stream?: string,
): Readonly<Record<string, unknown>> {
  const [row, ...others] = foldRows(projection, new Map(), storedFrom(history, stream));
  if (!row || others.length > 0) throw new Error("One stream folds into one row.");
  return { ...projection.table.row(row.folded), folded: row.folded };
}
