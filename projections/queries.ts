import type { Pool } from "../infra/postgres/pool.ts";
import { createOrderQueries, type OrderQueries } from "./order-lookup.ts";
import { type RegisterQueries, registerQueries } from "./registers/register-queries.ts";
import { type TicketListQueries, ticketListQueries } from "./tickets/ticket-list-queries.ts";
import { type TicketQueries, ticketLookupQueries } from "./tickets/ticket-lookup.ts";

export type Queries = OrderQueries & TicketQueries & RegisterQueries & TicketListQueries;

/** Queries on the read models of this build's versions. */
export function createQueries(pool: Pool): Queries {
  return {
    ...createOrderQueries(pool),
    ...ticketLookupQueries(pool),
    ...registerQueries(pool),
    ...ticketListQueries(pool),
  };
}
