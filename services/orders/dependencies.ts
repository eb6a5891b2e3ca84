import type { PriceLists } from "../../domain/pricing/price-list.ts";
import type { Log } from "../../infra/process/log.ts";
import type { Payments } from "../providers/stripe/payments.ts";
import type { Tickets } from "../tickets/tickets.ts";
import type { DeriveId, Vault } from "../vault/vault.ts";
import type { SavedDrafts } from "./drafts/saved-drafts.ts";
import type { Orders } from "./orders.ts";
import type { Checkouts } from "./payments/checkouts.ts";

/** Dependencies of the use cases of orders, tickets, saved drafts and checkouts. */
export type OrderDependencies = {
  readonly orders: Orders;
  readonly tickets: Tickets;
  readonly drafts: SavedDrafts;
  readonly checkouts: Checkouts;
  readonly vault: Vault;
  readonly payments: Payments;
  /** Derives ids that are unpredictable outside this installation. */
  readonly deriveId: DeriveId;
  readonly unpaidExpiresAfterSeconds: number;
  /** Price lists in force and scheduled, from the settings. */
  readonly priceLists: () => PriceLists;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
};
