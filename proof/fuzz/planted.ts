import { randomUUID } from "node:crypto";
import { Problem } from "../../services/gateway/errors/problem.ts";
import { openTicket } from "../../services/tickets/write-in-ticket.ts";
import type { TestStack } from "../../testing/gateway/stack-fixture.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";

/** A fault in what answers `plantedRoute`. Each must turn the run red. */
export type Plant = {
  readonly name: string;
  readonly words: string;
  /** In the finding that it must lead to. */
  readonly finding: RegExp;
  /** In place of the list of outstanding purges. */
  readonly act: (stack: TestStack) => Promise<never[]>;
};

export const plantedRoute = "GET /api/admin/compliance/due";

export const plants: readonly Plant[] = [
  {
    name: "throws",
    words: "a handler throws",
    finding: /500/,
    act: () => Promise.reject(new TypeError("planted")),
  },
  {
    name: "undocumented",
    words: "a handler answers with a status that its request does not document",
    finding: /undocumented status/,
    act: () => Promise.reject(new Problem("wrong-amount", "planted")),
  },
  {
    name: "appends-and-refuses",
    words: "a handler appends and then refuses",
    finding: /403 .*, and the log has grown/,
    act: async ({ deps }) => {
      await openTicket(deps, ticketRequest(), null, undefined, "planted");
      throw new Problem("not-allowed", "planted");
    },
  },
  {
    name: "unstorable",
    words: "a handler accepts what no read model can store",
    finding: /parked/,
    act: async ({ store }) => {
      const event = { id: randomUUID(), type: "OrderCreated", data: { v: 1 }, metadata: {} };
      await store.append({ stream: `order-${randomUUID()}`, expectedRevision: "none", events: [event] });
      return [];
    },
  },
];
