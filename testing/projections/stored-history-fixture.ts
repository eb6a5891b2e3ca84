import { addSeconds } from "../../domain/instant.ts";
import { orderEventSchemas, orderIdOf, orderStream } from "../../domain/order/events.ts";
import { ticketEventSchemas } from "../../domain/ticket/events.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import type { JsonObject } from "../../infra/json.ts";
import type { Projection } from "../../projections/runner/projection.ts";
import { foldRows } from "../../projections/runner/table-writer.ts";
import { orderId, start, uuid } from "../domain/order-fixture.ts";

/** An event and when it was recorded, in seconds after the start. */
type Happened = readonly [{ readonly type: string; readonly data: JsonObject }, number];

/** The domain's histories as stored in the log, in today's versions. */
export function storedFrom(
  history: readonly Happened[],
  stream: string = orderStream(orderId),
): StoredEvent[] {
  const schemas: Readonly<Record<string, { readonly version: number }>> =
    orderIdOf(stream) === undefined ? ticketEventSchemas : orderEventSchemas;
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
        schemaVersion: schemas[type]?.version ?? 1,
        at,
        previousHash: null,
        hash: "",
      },
      position: String(revision),
      recordedAt: at,
    };
  });
}

/** The row folded from a history: its columns and folded state. */
export function rowAfter<State>(
  projection: Projection<State>,
  history: readonly Happened[],
  stream?: string,
): Readonly<Record<string, unknown>> {
  const [row, ...others] = foldRows(projection, new Map(), storedFrom(history, stream));
  if (!row || others.length > 0) throw new Error("One stream must fold into one row.");
  return { ...projection.table.row(row.folded), folded: row.folded };
}
