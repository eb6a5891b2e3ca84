import { once } from "node:events";
import type { Express } from "express";
import { emmettOrders } from "./emmett-orders.ts";
import { appOf, bareApp } from "./order-service.ts";
import { type PeerOrder, peerOrder } from "./peer-process.ts";
import { plainOrders } from "./plain-orders.ts";

// A peer of the gateway in a process of its own, because an event loop shared with another would measure neither.

const [message] = await once(process, "message");

async function open(
  order: PeerOrder,
): Promise<{ readonly app: Express; readonly close: () => Promise<void> }> {
  if (order.serve === "bare") return { app: bareApp(), close: async () => undefined };
  const service = order.serve === "emmett" ? await emmettOrders(order) : await plainOrders(order);
  return { app: appOf(service), close: service.close };
}

const { app, close } = await open(peerOrder.parse(message));
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.once("disconnect", () => {
  server.closeAllConnections();
  server.close();
  void close();
});
