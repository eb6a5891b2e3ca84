import { seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { orderBodyOf, personOf } from "../../../services/operations/seed/seeded-requests.ts";
import { wish } from "../load/order.ts";
import type { WireRequest } from "./callers.ts";

/** Requests are counted by address. */
const addresses = 20_000;

/** Customers who each send one request. */
export type Customers = {
  readonly address: () => string;
  readonly orderBody: () => object;
  /** A new customer's order. */
  readonly order: () => WireRequest;
};

export function createCustomers(seed: number): Customers {
  const random = seededRandom(seed);
  let customers = 0;
  const address = () => {
    const nth = customers++ % addresses;
    return `198.18.${nth >> 8}.${nth & 255}`;
  };
  const orderBody = () => orderBodyOf(personOf(random, customers), wish);
  return { address, orderBody, order: () => ({ ...post("/api/orders", orderBody()), from: address() }) };
}

export const post = (path: string, body: object): WireRequest => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
});
