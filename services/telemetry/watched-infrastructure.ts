import { z } from "zod";
import type { AuditorStanding } from "../../infra/audit/auditor.ts";
import type { EventStore, NewEvent } from "../../infra/event-store/event-store.ts";
import type { FollowerWatch } from "../../infra/following/follower-turn.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import {
  watchAppends,
  watchFollowers,
  watchJobs,
  watchKeyRing,
} from "../../infra/telemetry/metrics/watched-ports.ts";
import type { Tracing } from "../../infra/telemetry/tracing/tracing.ts";
import type { SavedDrafts } from "../orders/drafts/saved-drafts.ts";
import type { Orders } from "../orders/orders.ts";
import type { Checkouts } from "../orders/payments/checkouts.ts";
import type { Tickets } from "../tickets/tickets.ts";
import { createVault, type VaultParts } from "../vault/postgres-vault.ts";
import type { Vault } from "../vault/vault.ts";
import type { ServiceFamilies } from "./service-families.ts";
import { showOverdueTasks, showPool, type Telemetry } from "./telemetry.ts";

type Watched = {
  pool: Pool;
  store: EventStore;
  keyRing: KeyRing;
  jobs: Jobs;
  now: () => Date;
} & Pick<VaultParts, "storedByAppends" | "expectDatabase">;

/** The infrastructure with metrics and traces; the vault uses the watched keys. */
export function watchInfrastructure(
  telemetry: Telemetry,
  { pool, store, keyRing, jobs, now, ...sealing }: Watched,
): Pick<Watched, "store" | "keyRing" | "jobs"> & { vault: Vault; watch: FollowerWatch } {
  const { meter, platform, service } = telemetry;
  const watchedKeys = watchKeyRing(keyRing, platform);
  showOverdueTasks(meter, service, pool, now);
  return {
    ...watchLog(telemetry, { pool, store, now }),
    keyRing: watchedKeys,
    vault: createVault({ pool, keyRing: watchedKeys, now, ...sealing }),
    jobs: watchJobs(jobs, { meter, families: platform, now }),
  };
}

/** The log and its followers, for processes without further infrastructure. */
export function watchLog(
  telemetry: Telemetry,
  { pool, store, now }: Pick<Watched, "pool" | "store" | "now">,
): { store: EventStore; watch: FollowerWatch } {
  const { meter, platform, service, tracing } = telemetry;
  showPool(telemetry, pool);
  return {
    store: watchAppends(store, {
      families: platform,
      tracing,
      onAppended: (event) => countEvent(service, event),
    }),
    watch: watchFollowers({ meter, families: platform, tracing, store, pool, now }),
  };
}

export function countBatch(
  { platform }: Pick<Telemetry, "platform">,
  appends: number,
  seconds: number,
): void {
  platform.appendBatchSize.observe({}, appends);
  platform.appendBatchSeconds.observe({}, seconds);
}

/** Shows at each scrape whether the log was found changed. */
export function showAudit(
  { meter, platform }: Pick<Telemetry, "meter" | "platform">,
  standing: () => Promise<AuditorStanding>,
): void {
  meter.source("audit", async () => {
    const { follower, problem } = await standing();
    const found = follower.state === "stopped" || problem !== null;
    platform.auditAlarm.set({}, Number(found));
  });
}

/** Shows at each scrape for how long the transparency log has not been signed, by us and by witnesses. */
export function showTransparency(
  { meter, platform }: Pick<Telemetry, "meter" | "platform">,
  watched: Readonly<Record<"unsignedSeconds" | "belowQuorumSeconds", () => Promise<number>>>,
): void {
  meter.source("transparency", async () => {
    platform.transparencyBehindSeconds.set({}, await watched.unsignedSeconds());
    platform.transparencyBelowQuorumSeconds.set({}, await watched.belowQuorumSeconds());
  });
}

export const watchOrders = (orders: Orders, { span }: Pick<Tracing, "span">): Orders => ({
  ...orders,
  execute: (request) =>
    span(
      {
        name: `command ${request.command.type}`,
        kind: "internal",
        correlationId: request.by.correlationId,
        attributes: { orderId: request.orderId },
      },
      () => orders.execute(request),
    ),
});

export const watchTickets = (tickets: Tickets, { span }: Pick<Tracing, "span">): Tickets => ({
  ...tickets,
  execute: (request) =>
    span(
      {
        name: `command ${request.command.type}`,
        kind: "internal",
        correlationId: request.by.correlationId,
        attributes: { ticketId: request.ticketId },
      },
      () => tickets.execute(request),
    ),
});

export const watchDrafts = (drafts: SavedDrafts, { span }: Pick<Tracing, "span">): SavedDrafts => ({
  ...drafts,
  execute: (request) =>
    span(
      {
        name: `command ${request.command.type}`,
        kind: "internal",
        correlationId: request.by.correlationId,
        attributes: { draftId: request.draftId },
      },
      () => drafts.execute(request),
    ),
});

export const watchCheckouts = (checkouts: Checkouts, { span }: Pick<Tracing, "span">): Checkouts => ({
  ...checkouts,
  execute: (request) =>
    span(
      {
        name: `command ${request.command.type}`,
        kind: "internal",
        correlationId: request.by.correlationId,
        attributes: { checkoutId: request.checkoutId },
      },
      () => checkouts.execute(request),
    ),
});

type Counted = Pick<
  ServiceFamilies,
  "purgeSeconds" | "purgesFailed" | "mailsUndeliverable" | "mailsReturned"
>;

const purged = z.object({ secondsSinceSubmission: z.number().nullable() });
const failed = z.object({ code: z.string() });
const mail = z.object({ template: z.string() });
const bounce = z.object({ kind: z.string() });

/** Counts some events, each in the process that appended it, so once. */
function countEvent(counted: Counted, { type, data }: NewEvent): void {
  if (type === "SensitiveDataPurged") {
    const seconds = purged.parse(data).secondsSinceSubmission;
    if (seconds !== null) counted.purgeSeconds.observe({}, seconds);
  }
  if (type === "PurgeFailed") counted.purgesFailed.add({ code: failed.parse(data).code });
  if (type === "ConfirmationUndeliverable" || type === "MailUndeliverable")
    counted.mailsUndeliverable.add({ template: mail.parse(data).template });
  if (type === "MailBounced") counted.mailsReturned.add({ kind: bounce.parse(data).kind });
}
