import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import { type Auditor, createAuditor } from "../../infra/audit/auditor.ts";
import type { Signer } from "../../infra/audit/signer-keys.ts";
import type { Config } from "../../infra/config/config.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import { agreedFiles } from "../../infra/key-ring/durable-files.ts";
import type { InstallationSecrets } from "../../infra/key-ring/installation-secrets.ts";
import { openSigningKeys, type SigningKeys } from "../../infra/key-ring/signing-keys.ts";
import { expectFree, freePort } from "../../infra/process/free-port.ts";
import { createReturnAddresses, type ReturnAddresses } from "../correspondence/return-address.ts";
import { auditedTreeOf, auditProgressOf, oldBookOf, openSigner } from "../operations/audit/signed-files.ts";
import { type SigningKeyName, signingKeyDays } from "../operations/keys/rotate-key.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { createSavedDrafts } from "../orders/drafts/saved-drafts.ts";
import { createOrders } from "../orders/orders.ts";
import { createCheckouts } from "../orders/payments/checkouts.ts";
import { createOrderAccess, type OrderAccess } from "../orders/requests/order-access.ts";
import { sandboxKeysOf } from "../providers/sandbox/addresses.ts";
import { asksForSecret } from "../providers/sandbox/from-here.ts";
import { createSettingsTexts } from "../settings/postgres-texts.ts";
import {
  type CurrentSettings,
  refuseUnidentified,
  type SettingsBook,
  settingsGivenBy,
} from "../settings/settings.ts";
import { openSettings } from "../settings/settings-book.ts";
import { watchOutside } from "../telemetry/provider-calls.ts";
import {
  showAudit,
  watchCheckouts,
  watchDrafts,
  watchOrders,
  watchTickets,
} from "../telemetry/watched-infrastructure.ts";
import { createTicketLinks, createTickets, type TicketLinks } from "../tickets/tickets.ts";
import { idDeriver } from "../vault/vault.ts";
import type { Infrastructure } from "./infrastructure.ts";
import { mailInAddressOf, sandboxedOf } from "./provider-modes.ts";
import { type OutsideWorld, reachOutside } from "./providers.ts";
import { openTransparency, type Transparency } from "./transparency.ts";

/** Dependencies shared by gateways and workers, in one process or several. */
export type AppDependencies = Infrastructure & {
  readonly config: Config;
  /** Without a trailing slash: the site's address for browsers. */
  readonly publicUrl: string;
  readonly settings: SettingsBook;
  readonly outside: OutsideWorld;
  readonly deps: OrderDependencies;
  readonly access: OrderAccess;
  readonly ticketLinks: TicketLinks;
  /** Undefined where no mail comes in. */
  readonly returnAddresses: ReturnAddresses | undefined;
  readonly retention: TaskSettings;
  /** Not started: a process that only queries it need not follow the log. */
  readonly auditor: Auditor;
  /** Not started either. */
  readonly transparency: Transparency;
  readonly signer: Signer;
};

/**
 * Opens the dependencies on top of the infrastructure; whatever must be closed is deferred on `closing`.
 * @throws OperatorError for errors the operator can fix
 */
export async function openAppDependencies(
  config: Config,
  publicUrl: string,
  infrastructure: Infrastructure,
  closing: AsyncDisposableStack,
): Promise<AppDependencies> {
  const texts = createSettingsTexts(infrastructure.pool);
  const settings = await openSettings({ ...infrastructure, texts, given: settingsGivenBy(config) });
  closing.defer(() => settings.stop());
  refuseUnidentified(config, settings.current().company);
  const reached = await reachOutside(config, publicUrl, infrastructure, settings, closing);
  const outside = watchOutside(reached, infrastructure.telemetry.calls);
  const transparency = await openTransparency(config, publicUrl, infrastructure);
  const auditor = createAuditor({
    ...infrastructure,
    follower: transparency.follower,
    book: oldBookOf(config),
    tree: auditedTreeOf(config, infrastructure.pool, infrastructure.now),
    progress: auditProgressOf(config),
  });
  showAudit(infrastructure.telemetry, () => auditor.standing());
  const address = mailInAddressOf(config);
  const openKeys = (name: SigningKeyName) => openSigning(name, config, infrastructure, closing);
  return {
    ...infrastructure,
    config,
    publicUrl,
    settings,
    outside,
    deps: await openDesk(config, infrastructure, outside, settings),
    access: createOrderAccess({ keys: await openKeys("order-access"), publicUrl, now: infrastructure.now }),
    ticketLinks: createTicketLinks({ keys: await openKeys("ticket-links"), publicUrl }),
    returnAddresses:
      address === undefined
        ? undefined
        : createReturnAddresses({
            address,
            keys: await openKeys("return-addresses"),
            now: infrastructure.now,
          }),
    retention: taskSettings(settings, config),
    auditor,
    transparency,
    signer: await openSigner(config),
  };
}

async function openSigning(
  name: SigningKeyName,
  config: Config,
  { now, log }: Infrastructure,
  closing: AsyncDisposableStack,
): Promise<SigningKeys> {
  const files = agreedFiles(config.KEY_DIR, config.KEY_MIRROR_DIR);
  const onTrouble = (error: unknown) =>
    log.error({ code: nameOfError(error), name }, "signing keys could not be reloaded");
  return closing.use(await openSigningKeys({ files, name, countDays: signingKeyDays[name], now, onTrouble }));
}

async function openDesk(
  config: Config,
  infrastructure: Infrastructure,
  outside: OutsideWorld,
  settings: CurrentSettings,
): Promise<OrderDependencies> {
  const { store, random, now, newId, vault, log, secrets, telemetry } = infrastructure;
  return {
    orders: watchOrders(createOrders({ store, random, now }), telemetry.tracing),
    tickets: watchTickets(createTickets({ store, random, now }), telemetry.tracing),
    drafts: watchDrafts(createSavedDrafts({ store, random, now }), telemetry.tracing),
    checkouts: watchCheckouts(createCheckouts({ store, random, now }), telemetry.tracing),
    vault,
    payments: outside.payments,
    deriveId: idDeriver(await secrets.secret("id-namespace")),
    unpaidExpiresAfterSeconds: config.UNPAID_EXPIRES_AFTER_SECONDS,
    priceLists: () => settings.current().prices,
    now,
    newId,
    log,
  };
}

/** Retention is a setting that may change at runtime; each task reads it. */
const taskSettings = (settings: CurrentSettings, config: Config): TaskSettings => ({
  purgeAfterSeconds: config.PURGE_AFTER_SECONDS,
  unpaidExpiresAfterSeconds: config.UNPAID_EXPIRES_AFTER_SECONDS,
  submissionRequestedWithinSeconds: config.SUBMISSION_REQUESTED_WITHIN_SECONDS,
  submissionByHand: config.providers.submissionByHand,
  get contactRetentionDays() {
    return settings.current().contactRetentionDays;
  },
});

/**
 * Reserves the site's port and returns its address for browsers, without a trailing slash.
 * @throws the server's error, such as EADDRINUSE
 */
export async function findOwnAddress(
  config: Pick<Config, "HOST" | "PORT" | "PUBLIC_URL">,
): Promise<{ readonly port: number; readonly url: string }> {
  const port = config.PORT === 0 ? await freePort() : config.PORT;
  await expectFree(config.HOST, port);
  return { port, url: config.PUBLIC_URL ?? `http://localhost:${port}` };
}

/** Start-up notice for sandbox pages that ask for a secret; undefined if they do not, or there are none. */
export async function sandboxNotice(
  { providers, PUBLIC_URL }: Pick<Config, "providers" | "PUBLIC_URL">,
  secrets: Pick<InstallationSecrets, "secret">,
): Promise<string | undefined> {
  const isThere = sandboxedOf(providers).size > 0 || providers.clerk === undefined;
  if (!isThere || !asksForSecret(PUBLIC_URL)) return undefined;
  const { pagesSecret } = sandboxKeysOf(await secrets.secret("sandbox"));
  return `Sandbox: its pages and sign-in (/sandbox/identity/unlock) are served to this machine only and ask for the secret ${pagesSecret}`;
}
