import { isDeepStrictEqual } from "node:util";
import type { StoredEvent } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { ordersProjection } from "../../../projections/orders/orders.ts";
import { accessLog } from "../../../projections/registers/access-log.ts";
import { purgeRegister } from "../../../projections/registers/purge-register.ts";
import type { Projection } from "../../../projections/runner/projection.ts";
import { type FoldedRow, foldRows } from "../../../projections/runner/table-writer.ts";
import { ticketList } from "../../../projections/tickets/ticket-list.ts";
import { ticketLookup } from "../../../projections/tickets/ticket-lookup.ts";

/** The tables of the read models. Machines share them. */
export type ReadModels = {
  /** What a batch of events changes, written by `write`. @throws StreamUnreadable */
  plan(events: readonly StoredEvent[]): { write: () => void };
  /** Names of the read models that are not the fold of the log, or where there is none. */
  differences(log: readonly StoredEvent[]): string[];
};

export function createReadModels(): ReadModels {
  const tables = [
    tableOf(ordersProjection),
    tableOf(ticketLookup),
    tableOf(ticketList),
    tableOf(purgeRegister),
    tableOf(accessLog),
  ];
  return {
    plan: (events) => {
      const planned = tables.map((table) => table.plan(events));
      const write = () => {
        for (const each of planned) each();
      };
      return { write };
    },
    differences: (log) => tables.filter((table) => !table.isFoldOf(log)).map(({ name }) => name),
  };
}

function tableOf<State>(projection: Projection<State>) {
  const rows = new Map<string, FoldedRow<State>>();
  return {
    name: projection.name,
    plan: (events: readonly StoredEvent[]) => {
      const changed = foldRows(projection, rows, events);
      return () => {
        for (const row of changed) rows.set(row.key, row);
      };
    },
    isFoldOf: (log: readonly StoredEvent[]) => {
      try {
        const whole = foldRows(projection, new Map<string, FoldedRow<State>>(), log);
        return isDeepStrictEqual(new Map(whole.map((row) => [row.key, row])), rows);
      } catch (error) {
        if (error instanceof StreamUnreadable) return false;
        throw error;
      }
    },
  };
}
