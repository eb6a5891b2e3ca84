import type { Express, RequestHandler, Router } from "express";
import express from "express";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { ifReadable } from "../../infra/event-store/stream-unreadable.ts";
import { type StorageWatch, trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import type { EndedSessions } from "../identity/ended-sessions.ts";
import type { Identify } from "../identity/session-token.ts";
import { createOrderHistory, orderIfKnown } from "../orders/orders.ts";
import type { SandboxIdentity } from "../providers/clerk/sandbox/sandbox-identity.ts";
import { createFactsOfService, presentSiteConfig } from "../settings/site-config.ts";
import { apiDocument } from "./document/api-document.ts";
import { apiDocs } from "./document/docs-page.ts";
import { notFound } from "./errors/problem.ts";
import { answerErrors, noSuchRoute } from "./errors/problem-of-error.ts";
import type { SharedCounts } from "./guards/counts.ts";
import { createIdentifyCaller, createSameOrigin } from "./guards/identify.ts";
import { createFilesLimit, createLimit, defaultLimits, type Limits } from "./guards/limit.ts";
import { createMailLimit } from "./guards/mail-allowance.ts";
import { mostOfOneAddress, shareRequests } from "./guards/shares.ts";
import { health, problemsOf, type ReadinessCheck } from "./health.ts";
import { type Listening, listen, usualPatience } from "./listen.ts";
import { createLiveOrders, type LiveSettings, usualLiveSettings } from "./live/live-orders.ts";
import {
  createStaffUpdates,
  type StaffUpdateSettings,
  usualStaffUpdateSettings,
} from "./live/staff-updates.ts";
import { sandboxIdentity } from "./pages/sandbox-identity.ts";
import { createLetProviderIn, site } from "./pages/site.ts";
import type { HandlerDependencies } from "./parts.ts";
import { type RequestWatch, requestLog } from "./request-log.ts";
import type { Route } from "./route.ts";
import { apiRoutes, mount } from "./routes.ts";
import { type ForeignOrigins, securityHeaders } from "./security-headers.ts";

/** The gateway's own dependencies; its handlers' are `HandlerDependencies`. */
type GatewayParts = Omit<
  HandlerDependencies,
  "allowsMail" | "live" | "updates" | "orderHistory" | "facts"
> & {
  /** Followed by live updates. */
  readonly store: Pick<EventStore, "follow" | "head" | "readStream">;
  readonly liveSettings?: Partial<LiveSettings>;
  /** The public URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly identify: Identify;
  readonly readiness: readonly ReadinessCheck[];
  readonly foreignOrigins: ForeignOrigins;
  /** Origins of a hosted identity provider, for the pages that ask who is signed in. */
  readonly identityOrigins?: ForeignOrigins | undefined;
  /** The built web app, web/dist. */
  readonly webFolder: string;
  /** Whether our own proxy sets X-Forwarded-For. */
  readonly trustProxy: boolean;
  readonly limits?: Partial<Limits>;
  /** Only where several gateways share rate limits. */
  readonly sharedCounts?: SharedCounts | undefined;
  /** Checked on every request with a token, and while a back-office page is open. */
  readonly endedSessions: Pick<EndedSessions, "endedAmong">;
  readonly telemetry?: RequestWatch;
  readonly staffUpdateSettings?: Partial<StaffUpdateSettings>;
  /** Pages and scripts of the sandboxes in this process. */
  readonly sandboxRoutes?: Router | undefined;
  /** Watches our own storage; without it, storage counts as available. */
  readonly storage?: StorageWatch;
  /** Only with the sandbox identity provider; `fromHere` admits this machine. */
  readonly sandboxIdentity?:
    | { readonly provider: SandboxIdentity; readonly fromHere: RequestHandler }
    | undefined;
};

export type Gateway = {
  readonly app: Express;
  /** The routes it serves, for tests that walk them. */
  readonly routes: readonly Route[];
  /** @throws the server's error, such as EADDRINUSE */
  readonly listen: (host: string, port: number) => Promise<Listening>;
};

export function createGateway(dependencies: GatewayParts): Gateway {
  const { log, newId, now } = dependencies.deps;
  const { storage = trustedStorage } = dependencies;
  const app = express();
  const live = createLiveOrders({
    store: dependencies.store,
    orders: dependencies.deps.orders,
    log,
    settings: { ...usualLiveSettings, ...dependencies.liveSettings },
  });
  const updates = createStaffUpdates({
    store: dependencies.store,
    ended: dependencies.endedSessions,
    health: async () => JSON.stringify(await problemsOf(dependencies.readiness)),
    log,
    settings: { ...usualStaffUpdateSettings, ...dependencies.staffUpdateSettings },
  });
  const facts = createFactsOfService({ queries: dependencies.queries, now, log });
  const handlerParts = {
    ...dependencies,
    allowsMail: createMailLimit(dependencies.sharedCounts),
    updates,
    live,
    facts,
    orderHistory: createOrderHistory(dependencies.store),
  };
  const emailChangesOf = async (orderId: string) =>
    (await ifReadable(orderIfKnown(dependencies.deps.orders, orderId)))?.emailChanges;
  const routes = apiRoutes.map((routeOf) => routeOf(handlerParts));
  const sameOrigin = createSameOrigin(dependencies.publicUrl);
  const https = dependencies.publicUrl.startsWith("https:");
  let stopping = false;

  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", "simple");
  app.set("trust proxy", dependencies.trustProxy ? 1 : false);
  app.use(requestLog({ log, newId, now, ...(dependencies.telemetry && { watch: dependencies.telemetry }) }));
  app.use(securityHeaders(dependencies.foreignOrigins, https));
  if (dependencies.trustProxy) app.use(shareRequests(mostOfOneAddress));
  mount(app, routes, {
    limit: createLimit({ ...defaultLimits, ...dependencies.limits }, dependencies.sharedCounts),
    limitFiles: createFilesLimit(dependencies.sharedCounts),
    sameOrigin,
    identify: createIdentifyCaller(dependencies.identify, dependencies.access, emailChangesOf),
    waitFor: dependencies.waitFor,
    storage,
  });
  app.use(health(dependencies.readiness, () => stopping));
  app.use(
    "/api/docs",
    apiDocs(() => apiDocument(routes, dependencies.publicUrl)),
  );
  app.use("/api", noSuchRoute(routes));
  if (dependencies.sandboxIdentity) {
    const { provider, fromHere } = dependencies.sandboxIdentity;
    app.use("/sandbox/identity", sandboxIdentity(provider, fromHere, sameOrigin, https));
  }
  if (dependencies.sandboxRoutes) app.use("/sandbox", dependencies.sandboxRoutes);
  app.use("/sandbox", nothingHere);
  app.use(
    site({
      folder: dependencies.webFolder,
      publicUrl: dependencies.publicUrl,
      config: () =>
        presentSiteConfig({
          site: dependencies.site,
          settings: dependencies.settings.current(),
          facts: facts.current(),
          at: now().toISOString(),
        }),
      now,
      letProviderIn:
        dependencies.identityOrigins &&
        createLetProviderIn(dependencies.identityOrigins, dependencies.foreignOrigins, https),
    }),
  );
  // Pages support GET only; Express's own error page would repeat the address.
  app.use(nothingHere);
  app.use(answerErrors(log, storage));

  return {
    app,
    routes,
    listen: async (host, port) => {
      const patience = dependencies.trustProxy ? { ...usualPatience, mostOfOneAddress: null } : usualPatience;
      const listening = await listen(app, host, port, patience);
      return {
        port: listening.port,
        close: () => {
          stopping = true;
          // Streams never end by themselves, so the drain would wait for them in vain.
          live.close();
          updates.close();
          return listening.close();
        },
      };
    },
  };
}

const nothingHere: RequestHandler = (_request, _response, next) => next(notFound());
