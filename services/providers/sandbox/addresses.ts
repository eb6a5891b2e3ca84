import { createHmac } from "node:crypto";
import { isLoopback } from "../../../infra/config/provider-shapes.ts";

/** Parts of the sandbox with a separate server. Sign-in has none: the product serves it. */
export type SandboxPort = "payments" | "submission" | "mail";

type Place = { readonly host: string; readonly port: number };

export type SandboxPlaces = {
  /** For programs: the card provider's API and the automation service's. */
  readonly api: Place;
  readonly cardPort: number;
  readonly smtp: Place;
};

/**
 * Where a standalone sandbox listens for programs: on loopback if its address is loopback, since only the card fields
 * are for other machines' browsers, and its mail server accepts anything.
 * @param host HOST, for a deployment on several machines
 */
export function hostForPrograms(host: string, { api }: Pick<SandboxPlaces, "api">): string {
  if (!isLoopback(api.host)) return host;
  return api.host === "::1" ? api.host : "127.0.0.1";
}

/** The product's settings for each sandbox part; undefined if absent. */
export type SandboxAddresses = {
  payments: SandboxPayments | undefined;
  automation: { url: string; secret: string } | undefined;
  smtp: Place | undefined;
};

type SandboxPayments = {
  stripe: {
    secretKey: string;
    publishableKey: string;
    webhookSecret: string;
    host: string;
    port: number;
    protocol: "http";
  };
  /** For `frame-src` of the product's Content-Security-Policy. */
  cardOrigin: string;
};

/** The same for a sandbox in this process and for a separate one: the keys are the installation's. */
export function addressesOf(
  ports: ReadonlySet<SandboxPort>,
  keys: SandboxKeys,
  { api, cardPort, smtp }: SandboxPlaces,
  publicUrl: string | undefined,
): SandboxAddresses {
  const { host, port } = api;
  const payments: SandboxPayments = {
    stripe: {
      secretKey: keys.stripeSecretKey,
      publishableKey: keys.stripePublishableKey,
      webhookSecret: keys.stripeWebhookSecret,
      host,
      port,
      protocol: "http",
    },
    cardOrigin: cardOriginOf(publicUrl, cardPort),
  };
  const inAddress = host.includes(":") ? `[${host}]` : host;
  const automation = { url: `http://${inAddress}:${port}`, secret: keys.automationSecret };
  return {
    payments: ports.has("payments") ? payments : undefined,
    automation: ports.has("submission") ? automation : undefined,
    smtp: ports.has("mail") ? smtp : undefined,
  };
}

/** The product's host at the card frame's port: another port is another origin. */
function cardOriginOf(publicUrl: string | undefined, port: number): string {
  const origin = new URL(publicUrl ?? "http://localhost");
  origin.port = String(port);
  return origin.origin;
}

const twins: Readonly<Record<string, string>> = { localhost: "127.0.0.1", "127.0.0.1": "localhost" };

/** Every origin under which a browser may open these addresses: on this machine `localhost` and `127.0.0.1` are two. */
export function pageOriginsOf(addresses: readonly string[]): string[] {
  const origins = addresses.flatMap((address) => {
    const url = new URL(address);
    const twin = new URL(address);
    twin.hostname = twins[url.hostname] ?? url.hostname;
    return [url.origin, twin.origin];
  });
  return [...new Set(origins)];
}

/** Keys shared by the sandbox and the product. Recognisable: none passes for a real one. */
export type SandboxKeys = {
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  /** In the Standard Webhooks format. */
  automationSecret: string;
  /** Required by the sandbox's pages if the site has a public address. */
  pagesSecret: string;
};

/** Derives all keys from the installation's secret, so they survive a restart. */
export function sandboxKeysOf(installationSecret: Uint8Array): SandboxKeys {
  const derive = (label: string) =>
    createHmac("sha256", installationSecret).update(`sandbox ${label}`).digest();
  return {
    stripeSecretKey: `sk_sandbox_${derive("stripe secret key").toString("hex")}`,
    stripePublishableKey: `pk_sandbox_${derive("stripe publishable key").toString("hex")}`,
    stripeWebhookSecret: `whsec_${derive("stripe webhooks").toString("hex")}`,
    automationSecret: `whsec_${derive("automation").toString("base64")}`,
    pagesSecret: derive("pages").toString("base64url").slice(0, 22),
  };
}
