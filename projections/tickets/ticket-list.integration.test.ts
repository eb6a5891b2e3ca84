import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addSeconds } from "../../domain/instant.ts";
import type { TicketEvent } from "../../domain/ticket/events.ts";
import { ticketStream } from "../../domain/ticket/events.ts";
import type { TicketCategory, TicketStatus } from "../../domain/ticket/vocabulary.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { start } from "../../testing/domain/order-fixture.ts";
import { opened, turned } from "../../testing/domain/ticket-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { storedFrom } from "../../testing/projections/stored-history-fixture.ts";
import { tablesOf } from "../runner/read-model-tables.ts";
import { type TicketListEntry, ticketList } from "./ticket-list.ts";
import { type TicketListQueries, type TicketListRequest, ticketListQueries } from "./ticket-list-queries.ts";

const ticketsInAll = 60;
const categories: readonly TicketCategory[] = ["question", "dataRequest", "cancellation"];
const statuses: readonly TicketStatus[] = ["Open", "Waiting", "Closed"];
const assignees = [null, "staff_1", "staff_2", null] as const;

/** One every ten seconds, with every second one at the same moment as the one before. */
function history(n: number) {
  const ticketId = randomUUID();
  const category = categories[n % categories.length] ?? "question";
  const status = statuses[Math.floor(n / 3) % statuses.length] ?? "Open";
  const assignee = assignees[n % assignees.length] ?? null;
  const at = Math.floor(n / 2) * 86_400;
  const first: TicketEvent = { type: "TicketOpened", data: { ...opened.data, ticketId, category } };
  const events: (readonly [TicketEvent, number])[] = [[first, at]];
  if (assignee) events.push([{ type: "TicketAssigned", data: { assignee } }, at + 5]);
  if (status !== "Open") events.push([turned(status), at + 10]);
  return storedFrom(events, ticketStream(ticketId));
}

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let queries: TicketListQueries;
let all: readonly TicketListEntry[];
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  const tables = tablesOf(ticketList);
  await inTransaction(pool, async (client) => {
    await tables.create(client);
    await tables.apply(client, Array.from({ length: ticketsInAll }, (_, n) => history(n)).flat());
  });
  queries = ticketListQueries(pool);
  all = (await queries.listTickets({ limit: 200 })).tickets;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function everyPage(request: TicketListRequest): Promise<readonly TicketListEntry[]> {
  const pages: TicketListEntry[] = [];
  let after: TicketListRequest["after"];
  for (let page = 0; page <= ticketsInAll; page++) {
    const { tickets, next } = await queries.listTickets({ ...request, after });
    pages.push(...tickets);
    if (next === null) return pages;
    after = next;
  }
  throw new Error("There is no last page.");
}

it("lists every ticket once, longest waiting first, page by page, also when many wait since the same moment", async () => {
  expect(all).toHaveLength(ticketsInAll);
  const keys = all.map(({ since, ticketId }) => `${since} ${ticketId}`);
  expect(keys).toEqual([...keys].sort());
  for (const limit of [1, 7, 60, 200]) expect(await everyPage({ limit })).toEqual(all);
  expect(await everyPage({ limit: 7, order: "newest" })).toEqual([...all].reverse());
});

it("filters tickets by status, assignee, unassigned, category, and all of these together", async () => {
  for (const status of statuses)
    expect(await everyPage({ status, limit: 3 })).toEqual(all.filter((one) => one.status === status));
  for (const assignee of ["staff_1", null])
    expect(await everyPage({ assignee, limit: 3 })).toEqual(all.filter((one) => one.assignee === assignee));
  const category = "question";
  expect(await everyPage({ status: "Open", assignee: null, category, limit: 2 })).toEqual(
    all.filter((one) => one.status === "Open" && one.assignee === null && one.category === category),
  );
  expect((await queries.listTickets({ assignee: "nobody_of_that_name" })).tickets).toEqual([]);
});

it("lists by deadline only tickets that have one, soonest first, page by page", async () => {
  const due = await everyPage({ order: "due", limit: 4 });
  const running = all.filter(({ clock }) => clock !== null && clock.metOn === null);
  expect(due).toHaveLength(running.length);
  expect(running.length).toBeGreaterThan(10);
  const days = due.map(({ clock, ticketId }) => `${clock?.dueOn} ${ticketId}`);
  expect(days).toEqual([...days].sort());
});

it("counts assigned, unassigned, all and overdue tickets", async () => {
  const today = addSeconds(start, 20 * 86_400).slice(0, 10);
  const counts = await queries.countTickets("staff_1", today);
  const of = (status: TicketStatus) => all.filter((one) => one.status === status);
  for (const [counted, live] of [
    [counts.open, of("Open")],
    [counts.waiting, of("Waiting")],
  ] as const) {
    expect(counted).toEqual({
      mine: live.filter(({ assignee }) => assignee === "staff_1").length,
      unassigned: live.filter(({ assignee }) => assignee === null).length,
      all: live.length,
    });
  }
  const running = all.filter(({ clock }) => clock?.metOn === null);
  const late = running.filter(({ clock }) => clock && clock.dueOn < today);
  expect(counts).toMatchObject({ due: running.length, late: late.length, unreached: 0 });
  expect(late.length).toBeGreaterThan(0);
});

it("limits a page to between 1 and 200 tickets", async () => {
  expect((await queries.listTickets({ limit: 0 })).tickets).toHaveLength(1);
  expect((await queries.listTickets({ limit: 1e9 })).tickets).toHaveLength(ticketsInAll);
  expect((await queries.listTickets({})).tickets).toHaveLength(50);
});

it("shows a ticket that arrives between two pages on neither, without shifting them", async () => {
  const first = await queries.listTickets({ limit: 10 });
  const schema = `ticket_list_v${ticketList.version}`;
  await pool.query(
    `insert into ${schema}.tickets (key, revision, folded, since, status, entry)
     values ('newcomer', 0, '{}', '2020-01-01', 'Open', '{}')`,
  );
  const second = await queries.listTickets({ limit: 10, after: first.next ?? undefined });
  await pool.query(`delete from ${schema}.tickets where key = 'newcomer'`);
  expect([...first.tickets, ...second.tickets]).toEqual(all.slice(0, 20));
});
