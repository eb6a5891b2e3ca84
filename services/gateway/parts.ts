import type { Request, Response } from "express";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import type { Auditor } from "../../infra/audit/auditor.ts";
import type { Signer } from "../../infra/audit/signer-keys.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { PublicLog } from "../../infra/transparency/public-log.ts";
import type { Queries } from "../../projections/runner/projections.ts";
import type { ProjectionHealth } from "../../projections/runner/runner.ts";
import type { SignOut } from "../identity/ended-sessions.ts";
import type { Directory } from "../identity/identity-provider.ts";
import type { ParkedRecords } from "../operations/streams/retry-parked.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { ReadOrderHistory } from "../orders/orders.ts";
import type { OrderAccess } from "../orders/requests/order-access.ts";
import type { OrderJobs, OutstandingPurge } from "../policies/work/work-reads.ts";
import type { Scanner } from "../providers/clamd/scanner.ts";
import type { Automation } from "../providers/gro/automation.ts";
import type { SettingsBook } from "../settings/settings.ts";
import type { FactsOfService, SiteSettings } from "../settings/site-config.ts";
import type { TicketLinks } from "../tickets/tickets.ts";
import type { Customers, Finder } from "../vault/blind-index.ts";
import type { AllowsMail } from "./guards/mail-allowance.ts";
import type { LiveOrders } from "./live/live-orders.ts";
import type { StaffUpdates } from "./live/staff-updates.ts";

/** Longest wait of a read for the position it asks for. */
const longestWaitMs = 1000;

/** Waits until the read models have reached a position; false on timeout. */
export type WaitFor = (position: Position, timeoutMs: number) => Promise<boolean>;

/**
 * Makes a read see the caller's own writes (`Read-After`); after 1 s it answers from what there is, with `Stale: true`.
 */
export async function settle(request: Request, response: Response, waitFor: WaitFor): Promise<void> {
  const position = request.get("Read-After");
  if (position === undefined || !/^[\w.:-]{1,80}$/.test(position)) return;
  if (!(await waitFor(position, longestWaitMs))) response.set("Stale", "true");
}

/**
 * Runs a query, and if it finds nothing, again once the read models have caught up: something created a moment ago may
 * not be in them yet.
 */
export async function findCaughtUp<Found>(
  { deps, waitFor }: { readonly deps: Pick<OrderDependencies, "orders">; readonly waitFor: WaitFor },
  query: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await query();
  if (found !== undefined) return found;
  await waitFor(await deps.orders.head(), longestWaitMs);
  return query();
}

export type HandlerDependencies = {
  readonly deps: OrderDependencies;
  readonly automation: Pick<Automation, "readNotice">;
  readonly queries: Queries;
  readonly waitFor: WaitFor;
  readonly standing: () => Promise<readonly ProjectionHealth[]>;
  readonly access: OrderAccess;
  readonly allowsMail: AllowsMail;
  readonly directory: Directory;
  readonly signOut: SignOut;
  readonly updates: StaffUpdates;
  readonly ticketLinks: TicketLinks;
  readonly finder: Finder & Customers;
  /** Looks for viruses in files of customers; undefined where none is configured. */
  readonly scanner: Scanner | undefined;
  readonly publicLog: PublicLog;
  readonly auditor: Pick<Auditor, "standing" | "auditWhole">;
  /** Signs compliance exports. */
  readonly signer: Signer;
  /** The policies' retention and waiting times. */
  readonly retention: TaskSettings;
  /** Destructions owed, longest due first; bounded. */
  readonly outstandingPurges: (limit: number) => Promise<readonly OutstandingPurge[]>;
  /** Orders and tickets whose history needs repair. */
  readonly parkedRecords: ParkedRecords;
  readonly orderHistory: ReadOrderHistory;
  readonly orderJobs: OrderJobs;
  readonly live: LiveOrders;
  readonly settings: SettingsBook;
  readonly site: SiteSettings;
  readonly facts: FactsOfService;
};
