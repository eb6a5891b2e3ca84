import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { OperatorError } from "../process/operator-error.ts";
import { type TraceSettings, traceSettings } from "../telemetry/tracing/open-tracing.ts";
import {
  type ProviderSettings,
  providerEnvironment,
  providerSecrets,
  providersOf,
} from "./provider-settings.ts";

/** Invalid settings: the message is a list of sentences for the operator, each with the fix. */
export class ConfigurationError extends OperatorError {
  override name = "ConfigurationError";
}

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((n) => n >= least && n <= most, `must be a whole number from ${least} to ${most}`);

const port = wholeNumber(0, 65535);
const flag = z.enum(["0", "1"], "must be 0 or 1").transform((value) => value === "1");
const url = (protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that starts with ${protocols.map((p) => `${p}//`).join(" or ")}`,
  });

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Each a verifier key and an address; the key itself is read when the product opens. */
const witnesses = z
  .string()
  .transform((text) => listOf(text).map((each) => each.split(/\s+/)))
  .refine(
    (each) =>
      each.every(
        ([key = "", address = "", ...more]) =>
          more.length === 0 &&
          /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/.test(key) &&
          URL.canParse(address) &&
          /^https?:\/\//.test(address),
      ),
    { error: "must be witnesses separated by commas, each its verifier key, a space, and its address" },
  )
  .transform((each) =>
    each.map(([key = "", address = ""]) => ({ key, address: address.replace(/\/+$/, "") })),
  );

const hostNames = z
  .string()
  .transform((text) => listOf(text.toLowerCase()))
  .refine((names) => names.every((name) => /^[a-z0-9._-]+$/.test(name)), {
    error: "must be host names separated by commas, without a port",
  });

/** A cluster's address lists its nodes, separated by commas; no other address may. */
const isEventStoreUrl = (text: string): boolean =>
  URL.canParse(text.replace(/^(esdb(?:\+discover)?:\/\/(?:[^@/]*@)?[^,/?#]+)(?:,[^,/?#\s]+)+/, "$1")) &&
  /^esdb(\+discover)?:\/\//.test(text);

const environment = z.object({
  ...traceSettings,
  NODE_ENV: z
    .enum(["development", "test", "production"], "must be development, test or production")
    .default("development"),
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3000),
  SANDBOX_CARD_PORT: port.optional(),
  SANDBOX_URL: url(["http:"]).optional(),
  SANDBOX_SMTP_PORT: port.optional(),
  SANDBOX_DELIVERS_TO: url(["http:", "https:"]).optional(),
  HEALTH_PORT: port.optional(),
  HEALTH_HOST: z.string().default("127.0.0.1"),
  METRICS_HOSTS: hostNames.default([]),
  PUBLIC_URL: url(["http:", "https:"]).optional(),
  WITNESSES: witnesses.default([]),
  WITNESS_QUORUM: wholeNumber(0, 100).optional(),
  DATA_DIR: z.string().default(".data"),
  KEY_DIR: z.string().default(".keys"),
  KEY_MIRROR_DIR: z.string().optional(),
  ACCEPT_NEW_KEYS: z
    .string()
    .regex(/^[0-9a-f]{8}$/, "must be the eight letters and digits that the refused start named")
    .optional(),
  DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
  EVENTSTORE_URL: z
    .string()
    .refine(isEventStoreUrl, {
      error: "must be an address that starts with esdb:// or esdb+discover://",
    })
    .optional(),
  REDIS_URL: url(["redis:", "rediss:"]).optional(),
  PURGE_AFTER_SECONDS: wholeNumber(0, 90).default(5),
  UNPAID_EXPIRES_AFTER_SECONDS: wholeNumber(60, 604_800).default(86_400),
  SUBMISSION_REQUESTED_WITHIN_SECONDS: wholeNumber(0, 3600).default(60),
  CONTACT_RETENTION_DAYS: wholeNumber(1, 3650).default(365),
  SWEEP_EVERY_SECONDS: wholeNumber(1, 30).default(15),
  CHECKPOINT_EVERY_SECONDS: wholeNumber(1, 60).default(60),
  ADMIN_USERNAMES: z.string().default("").transform(listOf),
  TRADING_NAME: z.string().trim().min(1, "must not be empty").default("Kith & Copy"),
  SUPPORT_EMAIL: z.email("must be an email address").default("help@kithandcopy.example"),
  POSTAL_ADDRESS: z.string().trim().min(1, "must not be empty").default("Nottingham, NG1, United Kingdom"),
  COMPANY_NUMBER: z
    .string()
    .regex(/^[0-9A-Z]{2}\d{6}$/, "must be 8 characters, like 01234567 or SC123456")
    .or(z.literal(""))
    .default(""),
  COMPANY_NAME: z.string().default(""),
  COMPANY_VAT_NUMBER: z.string().default(""),
  COMPANY_REGISTERED_IN: z.string().default(""),
  COMPANY_REGISTERED_OFFICE: z.string().default(""),
  SUPPORT_TELEPHONE: z.string().default(""),
  SUPPORT_HOURS: z.string().default(""),
  SUPPORT_REPLY_WORKING_DAYS: z.string().default(""),
  LOG_LEVEL: z
    .enum(["silent", "error", "warn", "info", "debug"], "must be silent, error, warn, info or debug")
    .default("info"),
  ALLOW_SANDBOX: flag.default(false),
  TRUST_PROXY: flag.default(false),
  SKIP_WEB_BUILD: flag.default(false),
});

/** The product's configuration. Durations in seconds or days as named; directories absolute. */
export type Config = Omit<
  z.output<typeof environment>,
  | "PUBLIC_URL"
  | "WITNESS_QUORUM"
  | "DATABASE_URL"
  | "EVENTSTORE_URL"
  | "REDIS_URL"
  | "KEY_MIRROR_DIR"
  | "ACCEPT_NEW_KEYS"
  | "HEALTH_PORT"
  | keyof TraceSettings
  | "SANDBOX_URL"
  | "SANDBOX_DELIVERS_TO"
  | "SANDBOX_CARD_PORT"
  | "SANDBOX_SMTP_PORT"
> & {
  readonly providers: ProviderSettings;
  readonly tracing: TraceSettings;
  /** Without a trailing slash; undefined means http://localhost and the port in use. */
  PUBLIC_URL: string | undefined;
  /** How many of WITNESSES should sign each checkpoint; two thirds unless given. */
  WITNESS_QUORUM: number;
  /** Undefined means the embedded server. */
  DATABASE_URL: string | undefined;
  /** Undefined: jobs are in the database, and each process counts requests for itself. */
  REDIS_URL: string | undefined;
  /** Undefined keeps the log in Postgres. */
  EVENTSTORE_URL: string | undefined;
  KEY_MIRROR_DIR: string | undefined;
  /** The mark of a key folder that is permanently lost. */
  ACCEPT_NEW_KEYS: string | undefined;
  /** Port for health and metrics, for the operator only; undefined means none. */
  HEALTH_PORT: number | undefined;
  /** Address of a separate sandbox process, without a trailing slash; undefined runs it in this one. */
  SANDBOX_URL: string | undefined;
  /** Where a separate sandbox sends its callbacks, without a trailing slash; undefined means PUBLIC_URL. */
  SANDBOX_DELIVERS_TO: string | undefined;
  /** The sandbox's card frame needs another origin than the page; defaults to PORT + 1, or SANDBOX_URL's port + 1. */
  SANDBOX_CARD_PORT: number;
  /**
   * Port of the sandbox's mail server on SANDBOX_URL's host; defaults to that port + 2, or any free one in this
   * process.
   */
  SANDBOX_SMTP_PORT: number;
};

/**
 * Parses the environment, falling back to `.env` in the given folder.
 * @throws ConfigurationError naming every invalid setting, why, and how to fix it
 */
export function readConfig(
  values: Record<string, string | undefined> = process.env,
  folder = process.cwd(),
): Config {
  const file = resolve(folder, ".env");
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  const given = Object.fromEntries(
    Object.entries({ ...fromFile, ...values }).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(given);
  const keys = providerEnvironment.safeParse(given);
  if (!parsed.success || !keys.success) {
    const issues = [...(parsed.error?.issues ?? []), ...(keys.error?.issues ?? [])];
    throw new ConfigurationError(issues.map((issue) => sentence(issue, given)).join("\n"));
  }
  const publicUrl = parsed.data.PUBLIC_URL?.replace(/\/+$/, "");
  const { providers, faults } = providersOf(keys.data, {
    publicUrl,
    production: parsed.data.NODE_ENV === "production",
  });
  if (faults.length > 0) throw new ConfigurationError(faults.join("\n"));
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, ...others } = parsed.data;
  const { OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG, ...settings } = others;
  const config: Config = {
    ...settings,
    providers,
    tracing: {
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS,
      OTEL_SERVICE_NAME,
      OTEL_TRACES_SAMPLER_ARG,
    },
    PUBLIC_URL: publicUrl,
    WITNESS_QUORUM: settings.WITNESS_QUORUM ?? Math.ceil((settings.WITNESSES.length * 2) / 3),
    DATABASE_URL: parsed.data.DATABASE_URL,
    REDIS_URL: parsed.data.REDIS_URL,
    EVENTSTORE_URL: parsed.data.EVENTSTORE_URL,
    ACCEPT_NEW_KEYS: parsed.data.ACCEPT_NEW_KEYS,
    HEALTH_PORT: parsed.data.HEALTH_PORT,
    SANDBOX_DELIVERS_TO: parsed.data.SANDBOX_DELIVERS_TO?.replace(/\/+$/, ""),
    ...sandboxPlaces(parsed.data),
    DATA_DIR: resolve(folder, parsed.data.DATA_DIR),
    KEY_DIR: resolve(folder, parsed.data.KEY_DIR),
    KEY_MIRROR_DIR: parsed.data.KEY_MIRROR_DIR ? resolve(folder, parsed.data.KEY_MIRROR_DIR) : undefined,
  };
  refuseContradictions(config);
  return config;
}

/** The sandbox's default ports follow its own address, or else the product's. */
function sandboxPlaces(given: z.output<typeof environment>) {
  const elsewhere = given.SANDBOX_URL?.replace(/\/+$/, "");
  const first = elsewhere === undefined ? given.PORT : Number(new URL(elsewhere).port || "80");
  const beside = (ports: number): number => (first === 0 ? 0 : first + ports);
  return {
    SANDBOX_URL: elsewhere,
    SANDBOX_CARD_PORT: given.SANDBOX_CARD_PORT ?? beside(1),
    SANDBOX_SMTP_PORT: given.SANDBOX_SMTP_PORT ?? (elsewhere === undefined ? 0 : beside(2)),
  };
}

function refuseContradictions(config: Config): void {
  for (const [name, directory] of [
    ["KEY_DIR", config.KEY_DIR],
    ["KEY_MIRROR_DIR", config.KEY_MIRROR_DIR],
  ] as const) {
    if (directory && (isInside(directory, config.DATA_DIR) || isInside(config.DATA_DIR, directory))) {
      throw new ConfigurationError(
        `${name} (${directory}) and DATA_DIR (${config.DATA_DIR}) must not be inside one another, because a copy of the data must never bring its keys along: set ${name} to a folder elsewhere.`,
      );
    }
  }
  if (
    config.KEY_MIRROR_DIR &&
    (isInside(config.KEY_MIRROR_DIR, config.KEY_DIR) || isInside(config.KEY_DIR, config.KEY_MIRROR_DIR))
  ) {
    throw new ConfigurationError(
      "KEY_MIRROR_DIR and KEY_DIR must not be inside one another: set KEY_MIRROR_DIR to a folder on another disk.",
    );
  }
  if (config.WITNESS_QUORUM > config.WITNESSES.length) {
    throw new ConfigurationError(
      `WITNESS_QUORUM is ${config.WITNESS_QUORUM}, but WITNESSES names ${config.WITNESSES.length}: lower it, or name more.`,
    );
  }
  if (config.PORT !== 0 && config.PORT === config.SANDBOX_CARD_PORT) {
    throw new ConfigurationError(
      "SANDBOX_CARD_PORT and PORT are the same, but the card frame must be another origin: set SANDBOX_CARD_PORT to a free port.",
    );
  }
}

function isInside(inner: string, outer: string): boolean {
  const path = relative(outer, inner);
  return path === "" || (!path.startsWith("..") && !isAbsolute(path));
}

/** May hold a password, which must not be shown or logged. */
const secretSettings: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "EVENTSTORE_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "REDIS_URL",
  ...providerSecrets,
]);

function sentence(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0]);
  const found = secretSettings.has(name) ? `${name}` : `${name} is "${String(given[name])}" but`;
  return `${found} ${issue.message}: correct it in the environment or in .env (see .env.example).`;
}
