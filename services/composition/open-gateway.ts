import { currentConsent, currentTerms } from "../../domain/forms/agreements.ts";
import { webFolder } from "../../infra/setup/build-web.ts";
import type { Projections } from "../../projections/runner/projections.ts";
import { createGateway, type Gateway } from "../gateway/gateway.ts";
import type { ReadinessCheck } from "../gateway/health.ts";
import { createSignOut } from "../identity/ended-sessions.ts";
import { createDirectory } from "../identity/identity-provider.ts";
import { createParkedRecords } from "../operations/streams/postgres-parked-records.ts";
import { createOrderJobs, outstandingPurges } from "../policies/work/work-reads.ts";
import { createClamdScanner } from "../providers/clamd/clamd-scanner.ts";
import { createBlindIndex } from "../vault/blind-index.ts";
import type { AppDependencies } from "./app-dependencies.ts";
import { sharedCountsOf } from "./infrastructure.ts";
import type { OutsideWorld } from "./providers.ts";

/** The HTTP side of the product, on the dependencies and the read models; it does not listen yet. */
export async function openGateway(
  app: AppDependencies,
  projections: Projections,
  readiness: readonly ReadinessCheck[],
): Promise<Gateway> {
  const { outside, config } = app;
  return createGateway({
    ...app,
    publicLog: app.transparency.publicLog,
    outstandingPurges: outstandingPurges(app.pool),
    parkedRecords: createParkedRecords(app.pool),
    orderJobs: createOrderJobs({ ...app, settings: () => app.retention }),
    automation: outside.automation,
    queries: projections.queries,
    finder: createBlindIndex(app),
    scanner: config.providers.scanner && createClamdScanner(config.providers.scanner),
    site: siteOf(outside),
    identify: outside.identify,
    waitFor: projections.waitFor,
    standing: projections.ready,
    readiness,
    foreignOrigins: outside.foreignOrigins,
    identityOrigins: outside.identityOrigins,
    webFolder,
    trustProxy: config.TRUST_PROXY,
    sharedCounts: await sharedCountsOf(app),
    endedSessions: outside.endedSessions,
    directory: createDirectory(outside.identity, app.log),
    signOut: createSignOut(outside.identity, outside.endedSessions),
    sandboxRoutes: outside.sandbox?.routes,
    sandboxIdentity: outside.sandboxIdentity,
  });
}

const siteOf = (outside: OutsideWorld) => ({
  ...outside.shown,
  termsVersion: currentTerms.version,
  consentVersion: currentConsent.version,
});
