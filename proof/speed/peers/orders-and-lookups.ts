import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { callFor, type WireRequest } from "../http/callers.ts";
import { type Customers, post } from "../http/customers.ts";
import { inTurn, type Round } from "./rounds.ts";

const connections = 32;
const warmUpMs = 500;
const mostLookedUp = 2_000;

/** A server that takes the product's requests. */
export type OrderServer = {
  readonly name: string;
  readonly port: number;
  /** Waits for the work that answers leave behind, which the next server must not pay for. */
  readonly settled?: (latestOrderNumber: string) => Promise<void>;
  /** The numbers of all orders that its database has. Without it, it keeps none. */
  readonly kept?: () => Promise<readonly string[]>;
};

export type Timing = {
  /** Servers run for weeks: each is called this long before anything is measured, until its code is compiled. */
  readonly firstMs: number;
  readonly measureMs: number;
  readonly rounds: number;
};

type Calls = {
  readonly server: OrderServer;
  readonly next: () => WireRequest;
  readonly onAnswer?: (body: string) => void;
  readonly settled?: () => Promise<void>;
};

async function measure(all: readonly Calls[], { firstMs, measureMs, rounds }: Timing) {
  const ways = all.map(({ server: { name, port }, settled, ...call }) => {
    const callServer = async (forMs: number): Promise<Round> => {
      const round = await callFor({ ...call, port, connections, warmUpMs, measureMs: forMs });
      await settled?.();
      return round;
    };
    return { name, first: () => callServer(firstMs), run: () => callServer(measureMs) };
  });
  for (const { first } of ways) await first();
  return inTurn(ways, rounds);
}

const numbered = z.object({ orderNumber: z.string() });

/**
 * @returns each server's rounds, and the numbers of the orders that it acknowledged
 * @throws OperatorError when a server does not have an order that it acknowledged
 */
export async function placeOrders(servers: readonly OrderServer[], customers: Customers, timing: Timing) {
  const acknowledged = new Map<string, string[]>(servers.map(({ name }) => [name, []]));
  const numbersOf = ({ name }: OrderServer) => acknowledged.get(name) ?? [];
  const rounds = await measure(
    servers.map((server) => ({
      server,
      next: customers.order,
      onAnswer: (body) => numbersOf(server).push(numbered.parse(JSON.parse(body)).orderNumber),
      settled: async () => server.settled?.(numbersOf(server).at(-1) ?? ""),
    })),
    timing,
  );
  for (const server of servers)
    if (server.kept) mustHave(server.name, numbersOf(server), await server.kept());
  return { rounds, acknowledged };
}

function mustHave(name: string, acknowledged: readonly string[], kept: readonly string[]): void {
  const has = new Set(kept);
  const missing = acknowledged.filter((orderNumber) => !has.has(orderNumber));
  if (missing.length > 0)
    throw new OperatorError(
      `${name} acknowledged ${acknowledged.length} orders and does not have ${missing.length} of them, as ${missing[0]}.`,
    );
}

/** Each server is asked for its own latest orders; one that keeps none answers the same to all. */
export async function lookUpOrders(
  servers: readonly OrderServer[],
  acknowledged: ReadonlyMap<string, readonly string[]>,
  customers: Customers,
  timing: Timing,
): Promise<Map<string, Round[]>> {
  return measure(
    servers.map((server) => {
      const orderNumbers = acknowledged.get(server.name)?.slice(-mostLookedUp) ?? [];
      let asked = 0;
      const lookup = () => {
        const orderNumber = orderNumbers[asked++ % orderNumbers.length] ?? "";
        return { ...post("/api/orders/lookup", { orderNumber }), from: customers.address() };
      };
      return { server, next: server.kept ? lookup : () => ({ method: "GET", path: "/bare" }) };
    }),
    timing,
  );
}
