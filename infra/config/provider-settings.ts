import { z } from "zod";
import {
  audiencesFault,
  clerkHostOf,
  clerkIssuerFault,
  clerkPublishableKeyFault,
  clerkSecretKeyFault,
  dkimSelectorFault,
  hostNameFault,
  isLoopback,
  jwtKeyFault,
  mailInAddressFault,
  mailInUrlFault,
  originsFault,
  scannerUrlFault,
  serviceUrlFault,
  signingSecretFault,
  smtpUrlFault,
  stripePublishableKeyFault,
  stripeSecretKeyFault,
  stripeWebhookSecretFault,
} from "./provider-shapes.ts";

/** `test` mode charges no real card and signs in no real person. */
type KeyMode = "test" | "live";

type StripeKeys = {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  readonly mode: KeyMode;
};

type ClerkKeys = {
  readonly secretKey: string;
  readonly publishableKey: string;
  /** PEM, with real line ends. */
  readonly jwtKey: string;
  /** As in the tokens' `iss`, without a trailing slash. */
  readonly issuer: string;
  /** Origins whose pages may have asked for a token (`azp`). */
  readonly authorizedParties: readonly string[];
  /** Audiences allowed in session tokens (`aud`); a token for any other is refused. */
  readonly audiences: readonly string[];
  /** Host and port of Clerk's Frontend API, as encoded in the publishable key. */
  readonly frontendHost: string;
  readonly mode: KeyMode;
};

export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  /** `whole`: TLS from the first byte; `upgrade`: STARTTLS required; `none`: only for a local mail catcher. */
  readonly tls: "whole" | "upgrade" | "none";
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** The envelope's sender, which receives bounces; undefined: the support address. */
  readonly envelopeFrom: string | undefined;
};

/** Where mail comes in. */
export type MailInSettings = {
  /** Its mail, and that of its +details, is ours. In small letters. */
  readonly address: string;
  /** The server whose Authentication-Results count; undefined: none. */
  readonly authServer: string | undefined;
  /** The selector of the mail server's DKIM key, for the doctor; undefined: not asked for. */
  readonly dkimSelector: string | undefined;
  /** Undefined: another process takes it in. */
  readonly from: MailSource | undefined;
};

export type MailSource = MailListener | ({ readonly protocol: "imap" } & Mailbox);

export type MailListener = {
  readonly protocol: "lmtp" | "smtp";
  readonly host: string;
  readonly port: number;
};

export type Mailbox = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; without only on this machine. */
  readonly tls: boolean;
  readonly login: { readonly user: string; readonly password: string };
  readonly folder: string;
};

export type ScannerSettings = { readonly host: string; readonly port: number };

type AutomationKeys = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly secret: string;
  /** Any of these may have signed a callback: two during a rotation. */
  readonly callbackSecrets: readonly string[];
};

/** Undefined means the sandbox, unless submission is by hand. */
export type ProviderSettings = {
  readonly stripe: StripeKeys | undefined;
  readonly clerk: ClerkKeys | undefined;
  readonly smtp: SmtpServer | undefined;
  readonly mailIn: MailInSettings | undefined;
  /** Undefined: attachments are not scanned. */
  readonly scanner: ScannerSettings | undefined;
  readonly automation: AutomationKeys | undefined;
  /** Staff submit everything by hand: neither a service nor a sandbox is used. */
  readonly submissionByHand: boolean;
};

const shaped = (faultOf: (text: string) => string | undefined) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const message = faultOf(text);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .optional();

/** Settings of real providers, each checked alone; `providersOf` checks them together. */
export const providerEnvironment = z.object({
  STRIPE_SECRET_KEY: shaped(stripeSecretKeyFault),
  STRIPE_PUBLISHABLE_KEY: shaped(stripePublishableKeyFault),
  STRIPE_WEBHOOK_SECRET: shaped(stripeWebhookSecretFault),
  CLERK_SECRET_KEY: shaped(clerkSecretKeyFault),
  CLERK_PUBLISHABLE_KEY: shaped(clerkPublishableKeyFault),
  CLERK_JWT_KEY: shaped(jwtKeyFault),
  CLERK_ISSUER: shaped(clerkIssuerFault),
  CLERK_AUTHORIZED_PARTIES: shaped(originsFault),
  CLERK_AUDIENCE: shaped(audiencesFault),
  SMTP_URL: shaped(smtpUrlFault),
  MAIL_FROM: z.email("must be an email address").optional(),
  MAIL_IN_URL: shaped(mailInUrlFault),
  MAIL_IN_ADDRESS: shaped(mailInAddressFault),
  MAIL_IN_AUTH_SERVER: shaped(hostNameFault),
  MAIL_DKIM_SELECTOR: shaped(dkimSelectorFault),
  SCANNER_URL: shaped(scannerUrlFault),
  GRO_SUBMISSION: z.literal("by-hand", "must be by-hand, or not set").optional(),
  GRO_AUTOMATION_URL: shaped(serviceUrlFault),
  GRO_AUTOMATION_SECRET: shaped(signingSecretFault(1)),
  GRO_CALLBACK_SECRET: shaped(signingSecretFault(2)),
});

type Given = z.output<typeof providerEnvironment>;
type Name = keyof Given;

/** A key is easily put in another's place: none of these is ever shown again. */
export const providerSecrets: readonly Name[] = [
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "CLERK_SECRET_KEY",
  "CLERK_PUBLISHABLE_KEY",
  "CLERK_JWT_KEY",
  "SMTP_URL",
  "MAIL_IN_URL",
  "GRO_AUTOMATION_URL",
  "GRO_AUTOMATION_SECRET",
  "GRO_CALLBACK_SECRET",
];

/** Settings that must be given together; `only` means nothing without them. */
const sets: readonly { provider: string; needed: readonly Name[]; only: readonly Name[] }[] = [
  {
    provider: "Stripe",
    needed: ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"],
    only: [],
  },
  {
    provider: "Clerk",
    needed: ["CLERK_SECRET_KEY", "CLERK_PUBLISHABLE_KEY", "CLERK_JWT_KEY", "CLERK_ISSUER"],
    only: ["CLERK_AUTHORIZED_PARTIES", "CLERK_AUDIENCE"],
  },
  { provider: "the mail server", needed: ["SMTP_URL"], only: ["MAIL_FROM"] },
  {
    provider: "mail that comes in",
    needed: ["MAIL_IN_ADDRESS"],
    only: ["MAIL_IN_URL", "MAIL_IN_AUTH_SERVER", "MAIL_DKIM_SELECTOR"],
  },
  {
    provider: "the automation service",
    needed: ["GRO_AUTOMATION_URL", "GRO_AUTOMATION_SECRET"],
    only: ["GRO_CALLBACK_SECRET"],
  },
];

/** The installation, which some keys must match. */
type Place = { readonly publicUrl: string | undefined; readonly production: boolean };

/**
 * Combines the settings of each provider.
 * @returns the providers, and a sentence for each problem; with any problem the providers must not be used
 */
export function providersOf(given: Given, place: Place): { providers: ProviderSettings; faults: string[] } {
  const providers: ProviderSettings = {
    stripe: stripeOf(given),
    clerk: clerkOf(given, place),
    smtp: smtpOf(given),
    mailIn: mailInOf(given),
    scanner: scannerOf(given),
    automation: automationOf(given),
    submissionByHand: given.GRO_SUBMISSION === "by-hand",
  };
  return { providers, faults: [...missing(given), ...misfits(given, providers, place)] };
}

function missing(given: Given): string[] {
  return sets.flatMap(({ provider, needed, only }) => {
    const present = [...needed, ...only].filter((name) => given[name] !== undefined);
    const absent = needed.filter((name) => given[name] === undefined);
    if (present.length === 0) return [];
    return absent.map(
      (name) =>
        `${name} is missing, but ${present.join(" and ")} ${present.length > 1 ? "are" : "is"} set: ${provider} needs ${needed.join(", ")} together. Set it, or remove the others for the sandbox.`,
    );
  });
}

function misfits(given: Given, { stripe, clerk, automation }: ProviderSettings, place: Place): string[] {
  const faults: string[] = twoSubmitters(given);
  if (modesDiffer(given.STRIPE_SECRET_KEY, given.STRIPE_PUBLISHABLE_KEY)) {
    faults.push(
      "STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY do not match, one a test key and one a live key: take both from the same page of Stripe's dashboard.",
    );
  }
  if (modesDiffer(given.CLERK_SECRET_KEY, given.CLERK_PUBLISHABLE_KEY)) {
    faults.push(
      "CLERK_SECRET_KEY and CLERK_PUBLISHABLE_KEY do not match, one a development key and one a production key: take both from the same page of Clerk's dashboard.",
    );
  }
  const knowingUs = [stripe && "Stripe", clerk && "Clerk"].filter((name) => name !== undefined);
  if (knowingUs.length > 0 && place.publicUrl === undefined) {
    faults.push(
      `PUBLIC_URL is missing, but ${knowingUs.join(" and ")} must know our address: set it to the address customers type.`,
    );
  }
  if (isLive(stripe, clerk) && place.publicUrl && !isSafe(place.publicUrl)) {
    faults.push(
      "PUBLIC_URL starts with http://, but live keys are set: real cards and real people need https://.",
    );
  }
  if (automation && place.production && new URL(automation.url).protocol === "http:") {
    if (!isLoopback(new URL(automation.url).hostname)) {
      faults.push(
        "GRO_AUTOMATION_URL starts with http://, but in production what customers typed may only leave this machine encrypted: use https://.",
      );
    }
  }
  return faults;
}

/** Only one may submit: a service alongside staff would send the same application twice. */
function twoSubmitters(given: Given): string[] {
  if (given.GRO_SUBMISSION === undefined) return [];
  const service = (["GRO_AUTOMATION_URL", "GRO_AUTOMATION_SECRET", "GRO_CALLBACK_SECRET"] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (service.length === 0) return [];
  return [
    `GRO_SUBMISSION is by-hand, but ${service.join(" and ")} ${service.length > 1 ? "are" : "is"} set: either staff submit, or the automation service does. Remove one or the other.`,
  ];
}

const isLive = (...keys: ({ mode: KeyMode } | undefined)[]): boolean =>
  keys.some((key) => key?.mode === "live");

const isSafe = (url: string): boolean =>
  URL.canParse(url) && (new URL(url).protocol === "https:" || isLoopback(new URL(url).hostname));

const modeOf = (key: string): KeyMode => (/^[a-z]+_live_/.test(key) ? "live" : "test");

const modesDiffer = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && modeOf(one) !== modeOf(other);

function stripeOf(given: Given): StripeKeys | undefined {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET,
  } = given;
  if (!secretKey || !publishableKey || !STRIPE_WEBHOOK_SECRET) return undefined;
  return { secretKey, publishableKey, webhookSecret: STRIPE_WEBHOOK_SECRET, mode: modeOf(secretKey) };
}

function clerkOf(given: Given, { publicUrl }: Place): ClerkKeys | undefined {
  const { CLERK_SECRET_KEY: secretKey, CLERK_PUBLISHABLE_KEY: publishableKey } = given;
  const { CLERK_JWT_KEY: jwtKey, CLERK_ISSUER: issuer, CLERK_AUTHORIZED_PARTIES: parties } = given;
  const { CLERK_AUDIENCE: audiences } = given;
  const frontendHost = publishableKey && clerkHostOf(publishableKey);
  if (!secretKey || !publishableKey || !jwtKey || !issuer || !frontendHost) return undefined;
  const ours = publicUrl === undefined ? [] : [new URL(publicUrl).origin];
  return {
    secretKey,
    publishableKey,
    jwtKey: jwtKey.replaceAll("\\n", "\n").trim(),
    issuer: issuer.replace(/\/+$/, ""),
    authorizedParties: parties === undefined ? ours : listOf(parties),
    audiences: audiences === undefined ? [] : listOf(audiences),
    frontendHost,
    mode: modeOf(secretKey),
  };
}

function smtpOf({ SMTP_URL, MAIL_FROM }: Given): SmtpServer | undefined {
  if (!SMTP_URL) return undefined;
  const { protocol, hostname, port, username, password, searchParams } = new URL(SMTP_URL);
  const whole = protocol === "smtps:";
  const plain = searchParams.get("tls") === "false" || (isLoopback(hostname) && !username);
  return {
    host: withoutBrackets(hostname),
    port: port ? Number(port) : whole ? 465 : 587,
    tls: whole ? "whole" : plain ? "none" : "upgrade",
    login: username
      ? { user: decodeURIComponent(username), password: decodeURIComponent(password) }
      : undefined,
    envelopeFrom: MAIL_FROM,
  };
}

const mailInOf = ({
  MAIL_IN_URL: url,
  MAIL_IN_ADDRESS: address,
  MAIL_IN_AUTH_SERVER: authServer,
  MAIL_DKIM_SELECTOR: dkimSelector,
}: Given): MailInSettings | undefined =>
  address
    ? { address: address.toLowerCase(), authServer, dkimSelector, from: url ? mailSourceOf(url) : undefined }
    : undefined;

function mailSourceOf(url: string): MailSource {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const host = withoutBrackets(hostname);
  if (protocol === "lmtp:" || protocol === "smtp:")
    return { protocol: protocol === "lmtp:" ? "lmtp" : "smtp", host, port: Number(port) };
  const tls = protocol === "imaps:";
  return {
    protocol: "imap",
    host,
    port: port ? Number(port) : tls ? 993 : 143,
    tls,
    login: { user: decodeURIComponent(username), password: decodeURIComponent(password) },
    folder: decodeURIComponent(pathname.slice(1)) || "INBOX",
  };
}

function scannerOf({ SCANNER_URL }: Given): ScannerSettings | undefined {
  if (!SCANNER_URL) return undefined;
  const { hostname, port } = new URL(SCANNER_URL);
  return { host: withoutBrackets(hostname), port: Number(port) };
}

/** An IPv6 address has brackets in a URL. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

function automationOf(given: Given): AutomationKeys | undefined {
  const { GRO_AUTOMATION_URL: url, GRO_AUTOMATION_SECRET: secret, GRO_CALLBACK_SECRET: callback } = given;
  if (!url || !secret) return undefined;
  return {
    url: url.replace(/\/+$/, ""),
    secret,
    callbackSecrets: callback === undefined ? [secret] : listOf(callback),
  };
}

const listOf = (text: string): string[] => text.split(",").map((part) => part.trim());
