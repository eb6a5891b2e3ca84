import { createSecretKey, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Router } from "express";
import { pino } from "pino";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import type { SigningKeys } from "../../infra/key-ring/signing-keys.ts";
import type { OrderQueries } from "../../projections/orders/order-queries.ts";
import type { RegisterQueries } from "../../projections/registers/register-queries.ts";
import type { TicketListQueries } from "../../projections/tickets/ticket-list-queries.ts";
import type { TicketQueries } from "../../projections/tickets/ticket-lookup.ts";
import { createGateway } from "../../services/gateway/gateway.ts";
import type { Route } from "../../services/gateway/route.ts";
import { sandboxOrigins } from "../../services/gateway/security-headers.ts";
import { createSignOut } from "../../services/identity/ended-sessions.ts";
import { createDirectory } from "../../services/identity/identity-provider.ts";
import { createIdentify, type Role } from "../../services/identity/session-token.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import { createSavedDrafts } from "../../services/orders/drafts/saved-drafts.ts";
import { createOrders } from "../../services/orders/orders.ts";
import { createCheckouts } from "../../services/orders/payments/checkouts.ts";
import { createOrderAccess, type OrderAccess } from "../../services/orders/requests/order-access.ts";
import {
  createSandboxTokens,
  sandboxIssuer,
} from "../../services/providers/clerk/sandbox/sandbox-identity.ts";
import { type GroNotice, NoticeRefused } from "../../services/providers/gro/automation.ts";
import { createFromHere } from "../../services/providers/sandbox/from-here.ts";
import type { SettingsBook } from "../../services/settings/settings.ts";
import { createTicketLinks, createTickets } from "../../services/tickets/tickets.ts";
import { idDeriver, type Vault } from "../../services/vault/vault.ts";
import { memoryIdentity, type TestIdentity } from "../providers/memory-identity-fixture.ts";
import { createMemoryPayments, type MemoryPayments } from "../providers/memory-payments.ts";
import { memoryBook } from "../services/settings-fixture.ts";
import { watchAnswers } from "./documented-answers-fixture.ts";

type GatewayParts = Parameters<typeof createGateway>[0];

/** A gateway on a free port, with the given store, vault and read models. */
export type TestGateway = {
  readonly url: string;
  readonly payments: MemoryPayments;
  readonly access: OrderAccess;
  readonly store: EventStore;
  readonly vault: Vault;
  /** For staff actions without a route. */
  readonly deps: OrderDependencies;
  readonly settings: SettingsBook;
  readonly logLines: readonly string[];
  readonly routes: readonly Route[];
  /** A bearer token for this role, or for a customer. */
  token(role?: Role, username?: string): Promise<string>;
  close(): Promise<void>;
};

/** The secret that signs notices of the GRO in tests. */
export const groSignature = "signed-by-the-automation-service";

const keys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** A test's overrides of the gateway's dependencies. */
export type TestOptions = {
  /** Finds no customers by default. */
  finder?: Partial<GatewayParts["finder"]>;
  scanner?: GatewayParts["scanner"];
  store: EventStore;
  vault: Vault;
  /** No tickets by default. */
  queries: OrderQueries & Partial<TicketQueries & TicketListQueries & RegisterQueries>;
  waitFor: GatewayParts["waitFor"];
  now?: () => Date;
  /** Present when providers are sandboxes. */
  sandboxRoutes?: Router;
  /** In-memory sessions by default. */
  identity?: (parts: Parameters<typeof memoryIdentity>[0]) => TestIdentity;
} & Partial<
  Pick<
    GatewayParts,
    | "publicUrl"
    | "auditor"
    | "publicLog"
    | "outstandingPurges"
    | "parkedRecords"
    | "orderJobs"
    | "limits"
    | "liveSettings"
    | "standing"
    | "readiness"
    | "webFolder"
    | "staffUpdateSettings"
    | "trustProxy"
    | "foreignOrigins"
    | "settings"
  >
>;

const noAudits: GatewayParts["auditor"] = {
  standing: () => Promise.reject(new Error("This test has no auditor.")),
  auditWhole: () => Promise.reject(new Error("This test has no auditor.")),
};

/** One tile, whatever it holds. */
const smallLog: GatewayParts["publicLog"] = {
  checkpoint: async () => "a checkpoint\n",
  witnesses: () => ({ quorum: 1, keys: ["a witness"] }),
  keys: async () => [{ key: "a key", state: "signs", since: null }],
  tile: async (path) => (path === "tile/0/x001/000.p/2" ? new Uint8Array(64) : undefined),
  prove: async () => undefined,
  proveTogether: async () => undefined,
};

const noneParked: GatewayParts["parkedRecords"] = {
  list: async () => [],
  count: async () => 0,
  retry: async () => 0,
};

const nobodyToFind: GatewayParts["finder"] = {
  find: async () => ({ subjects: [], more: false }),
  customerOf: async () => undefined,
  customersOf: async () => new Map(),
  subjectsOf: async () => ({ subjects: [], more: false }),
};

/** Required when the site has a public address. */
const sandboxSecret = "the-secret-of-this-test";

export async function startTestGateway(options: TestOptions): Promise<TestGateway> {
  const { store, vault, queries, waitFor, now = () => new Date() } = options;
  const publicUrl = options.publicUrl ?? "http://localhost:3000";
  const webFolder = mkdtempSync(join(tmpdir(), "certificates-web-"));
  const payments = createMemoryPayments();
  const access = createOrderAccess({ keys: fixedKeys(randomBytes(32)), publicUrl, now });
  const logLines: string[] = [];
  const newId = () => randomUUID();
  const issueToken = createSandboxTokens({
    privateKeyPem: keys.privateKey,
    authorizedParty: publicUrl,
    now,
  });
  const identity = (options.identity ?? memoryIdentity)({ issueToken, now, newId });
  const deps: OrderDependencies = {
    orders: createOrders({ store, random: Math.random, now }),
    tickets: createTickets({ store, random: Math.random, now }),
    drafts: createSavedDrafts({ store, random: Math.random, now }),
    checkouts: createCheckouts({ store, random: Math.random, now }),
    vault,
    payments,
    deriveId: idDeriver(randomBytes(32)),
    priceLists: () => settings.current().prices,
    unpaidExpiresAfterSeconds: 86_400,
    now,
    newId,
    log: pino({ level: "info", base: null }, { write: (line: string) => void logLines.push(line) }),
  };
  const settings = options.settings ?? (await memoryBook({ store, now, log: deps.log }));
  const gateway = createGateway({
    deps,
    store,
    automation: { readNotice },
    queries: { ...noTickets, ...noRegisters, ...queries },
    access,
    ticketLinks: createTicketLinks({ keys: fixedKeys(randomBytes(32)), publicUrl }),
    finder: { ...nobodyToFind, ...options.finder },
    scanner: options.scanner,
    settings,
    auditor: options.auditor ?? noAudits,
    publicLog: { ...smallLog, ...options.publicLog },
    signer: {
      sign: (bytes) => sign("sha256", bytes, keys.privateKey).toString("base64"),
      publicKeyPem: keys.publicKey,
    },
    retention: {
      purgeAfterSeconds: 5,
      unpaidExpiresAfterSeconds: 86_400,
      contactRetentionDays: 365,
      submissionRequestedWithinSeconds: 60,
    },
    outstandingPurges: options.outstandingPurges ?? (async () => []),
    parkedRecords: options.parkedRecords ?? noneParked,
    orderJobs: options.orderJobs ?? (async () => []),
    site: {
      modes: { payments: "sandbox", identity: "sandbox", submission: "live", mail: "live" },
      publishableKey: "pk_test_fixture",
      stripeScript: "/sandbox/stripe.js",
      clerkPublishableKey: null,
      termsVersion: 2,
      consentVersion: 1,
    },
    publicUrl,
    endedSessions: identity.ended,
    directory: createDirectory(identity.provider, deps.log),
    signOut: createSignOut(identity.provider, identity.ended),
    identify: createIdentify({
      ended: identity.ended,
      publicKeyPem: keys.publicKey,
      issuer: sandboxIssuer,
      authorizedParties: [publicUrl],
      audiences: [],
      adminUsernames: ["Alex.Manager"],
      grants: () => settings.current().grants,
    }),
    waitFor,
    standing: options.standing ?? (async () => []),
    readiness: options.readiness ?? [],
    foreignOrigins: options.foreignOrigins ?? sandboxOrigins("http://localhost:3001"),
    webFolder: options.webFolder ?? webFolder,
    trustProxy: options.trustProxy ?? false,
    limits: {
      reads: 10_000,
      lookups: 10_000,
      commands: 10_000,
      contact: 10_000,
      webhooks: 10_000,
      ...options.limits,
    },
    ...(options.liveSettings && { liveSettings: options.liveSettings }),
    ...(options.staffUpdateSettings && { staffUpdateSettings: options.staffUpdateSettings }),
    ...(options.sandboxRoutes && {
      sandboxRoutes: options.sandboxRoutes,
      sandboxIdentity: {
        provider: identity.provider,
        fromHere: createFromHere({ publicUrl, secret: sandboxSecret }),
      },
    }),
  });
  const listening = await gateway.listen("127.0.0.1", 0);
  const watch = watchAnswers({ port: listening.port, routes: gateway.routes });
  return {
    url: `http://127.0.0.1:${listening.port}`,
    payments,
    access,
    store,
    vault,
    deps,
    settings,
    logLines,
    routes: gateway.routes,
    token: (role, username = "colleague") => issueToken({ username, role }, `sess_${newId()}`),
    close: async () => {
      await listening.close();
      await settings.stop();
      rmSync(webFolder, { recursive: true, force: true });
      watch.close();
    },
  };
}

const noShares = { mine: 0, unassigned: 0, all: 0 };
const noTickets: TicketQueries & TicketListQueries = {
  lookUpTicket: async () => undefined,
  listTickets: async () => ({ tickets: [], next: null }),
  countTickets: async () => ({ open: noShares, waiting: noShares, due: 0, late: 0, unreached: 0 }),
};

const noRegisters: RegisterQueries = {
  listPurges: async () => ({ entries: [], next: null }),
  listLooks: async () => ({ entries: [], next: null }),
  numbersOf: async () => new Map(),
};

function readNotice(rawBody: Buffer, headers: Record<string, string | undefined>): GroNotice {
  if (headers["webhook-signature"] !== groSignature)
    throw new NoticeRefused("The test's signature does not fit.");
  return JSON.parse(rawBody.toString("utf8"));
}

/** Keys that never change, newest first: the newest signs. */
export function fixedKeys(newest: Buffer, ...older: readonly Buffer[]): SigningKeys {
  const current = createSecretKey(newest);
  const accepted = [current, ...older.map((bytes) => createSecretKey(bytes))];
  return { current: () => current, accepted: () => accepted };
}
