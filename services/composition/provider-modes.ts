import { type Config, ConfigurationError } from "../../infra/config/config.ts";
import type { ProviderSettings, SmtpServer } from "../../infra/config/provider-settings.ts";
import { isLoopback } from "../../infra/config/provider-shapes.ts";
import type { SandboxPort } from "../providers/sandbox/addresses.ts";

/** Mode of a provider: our sandbox, the provider's test environment, or live. */
type Mode = "sandbox" | "test" | "live";

/** Submission by staff is as real as by a service. */
type SubmissionMode = Mode | "byHand";

export type Modes = {
  readonly payments: Mode;
  readonly identity: Mode;
  readonly submission: SubmissionMode;
  readonly mail: Mode;
};

export const modesOf = ({ stripe, clerk, smtp, automation, submissionByHand }: ProviderSettings): Modes => ({
  payments: stripe?.mode ?? "sandbox",
  identity: clerk?.mode ?? "sandbox",
  submission: submissionByHand ? "byHand" : automation ? "live" : "sandbox",
  mail: smtp ? (leavesOpen(smtp) ? "test" : "live") : "sandbox",
});

/** Personal data leaves this machine encrypted; a remote server without encryption is a mail catcher. */
const leavesOpen = ({ tls, host }: SmtpServer): boolean => tls === "none" && !isLoopback(host);

/** Whether nothing reaches real people: our sandbox, or the provider's test environment. */
export const isUnreal = (mode: SubmissionMode): boolean => mode === "sandbox" || mode === "test";

export const sandboxedOf = ({
  stripe,
  smtp,
  automation,
  submissionByHand,
}: ProviderSettings): ReadonlySet<SandboxPort> =>
  new Set([
    ...(stripe ? [] : ["payments" as const]),
    ...(automation || submissionByHand ? [] : ["submission" as const]),
    ...(smtp ? [] : ["mail" as const]),
  ]);

/** The sandbox's mail has an address of its own. */
export const sandboxMailAddress = "help@sandbox.example";

/** To which replies and bounces come; undefined where no mail is taken in. */
export const mailInAddressOf = ({ providers }: Pick<Config, "providers">): string | undefined =>
  providers.mailIn?.address ?? (providers.smtp ? undefined : sandboxMailAddress);

const parts = ["payments", "identity", "submission", "mail"] as const;

const unreal = {
  payments: "no card would be charged (STRIPE_SECRET_KEY)",
  identity: "anyone could sign in as anyone (CLERK_SECRET_KEY)",
  submission:
    "nothing would be sent to the General Register Office (GRO_AUTOMATION_URL, or GRO_SUBMISSION=by-hand)",
  mail: "no mail would arrive (SMTP_URL)",
} as const;

const unrealInTest = {
  ...unreal,
  identity: "people would sign in to a development instance (CLERK_SECRET_KEY)",
  mail: "mails would leave unencrypted, as for a mail catcher (SMTP_URL has tls=false)",
} as const;

/** @throws ConfigurationError in production while any provider is not real, unless allowed explicitly */
export function refuseSandboxInProduction(
  config: Pick<Config, "NODE_ENV" | "ALLOW_SANDBOX" | "providers">,
): void {
  if (config.NODE_ENV !== "production" || config.ALLOW_SANDBOX) return;
  const modes = modesOf(config.providers);
  const sandboxed = parts.filter((part) => modes[part] === "sandbox").map((part) => unreal[part]);
  const inTest = parts.filter((part) => modes[part] === "test").map((part) => unrealInTest[part]);
  const reasons = [
    ...(sandboxed.length > 0 ? [`the sandbox is used: ${sandboxed.join(", ")}`] : []),
    ...(inTest.length > 0 ? [`a provider is in test mode: ${inTest.join(", ")}`] : []),
  ];
  if (reasons.length === 0) return;
  throw new ConfigurationError(
    `NODE_ENV is production, but ${reasons.join("; and ")}. Set each provider's live keys, or set ALLOW_SANDBOX to 1 if this is intended.`,
  );
}

/**
 * Refuses a standalone process on the embedded Postgres, which has one owner. That KEY_DIR is the same folder
 * everywhere is checked when the database is reached, since it is bound to its keys.
 * @param what begins the sentence, such as "A standalone gateway"
 * @throws ConfigurationError
 */
export function refuseAlone(config: Pick<Config, "DATABASE_URL">, what: string): void {
  if (config.DATABASE_URL !== undefined) return;
  throw new ConfigurationError(
    `${what} shares its database with other processes, which the embedded Postgres cannot be: set DATABASE_URL, and KEY_DIR to the key folder they all use. npm start needs neither: it runs everything in one process.`,
  );
}

/**
 * Refuses an embedded sandbox when other processes must use the same one.
 * @throws ConfigurationError
 */
export function refuseOwnSandbox(config: Pick<Config, "SANDBOX_URL" | "providers">, what: string): void {
  const sandboxed = [...sandboxedOf(config.providers)];
  if (sandboxed.length === 0 || config.SANDBOX_URL !== undefined) return;
  throw new ConfigurationError(
    `${what} shares its providers with other processes, and would use a sandbox of its own for ${sandboxed.join(", ")}: start one with npm run sandbox, and set SANDBOX_URL to its address, such as http://127.0.0.1:3010, for all of them. Or set the keys of real providers.`,
  );
}
