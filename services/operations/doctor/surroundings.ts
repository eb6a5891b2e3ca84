import { connect } from "node:net";
import { z } from "zod";
import type { Company } from "../../../domain/settings/company.ts";
import type { Config } from "../../../infra/config/config.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { expectFree } from "../../../infra/process/free-port.ts";
import { wordsForOperator } from "../../../infra/process/operator-error.ts";
import { reachRedis } from "../../../infra/redis/open-redis.ts";
import { isUnreal, modesOf, refuseSandboxInProduction } from "../../composition/provider-modes.ts";
import { createSettingsTexts } from "../../settings/postgres-texts.ts";
import { companyGivenBy, missingWords, mustIdentify, settingsGivenBy } from "../../settings/settings.ts";
import { readSettings } from "../../settings/settings-book.ts";
import { type Check, type Finding, ok, warning, wrong } from "./findings.ts";
import { mailDomainCheck } from "./mail-domain.ts";

/** The environment: port, Redis, public address, providers. @param online whether to connect to providers */
export const surroundingChecks = (config: Config, online: boolean): readonly Check[] => [
  { about: "port", look: async () => [await portFinding(config)] },
  ...(config.REDIS_URL === undefined ? [] : [redisCheck(config.REDIS_URL)]),
  { about: "settings", look: async () => settingFindings(config) },
  { about: "providers", look: async () => [providersFinding(config)] },
  ...(online ? providersOf(config).map(reachCheck) : []),
  ...(online && config.providers.mailIn ? [mailDomainCheck(config.providers.mailIn)] : []),
];

const redisCheck = (url: string): Check => ({
  about: "Redis",
  look: async () => {
    await reachRedis(url, undefined, 0);
    return [ok("Redis", "answers, is recent enough, and evicts no keys")];
  },
});

const parts = z.array(z.object({ name: z.string(), problem: z.string() }));
const readiness = z.object({ status: z.string(), problems: parts, degraded: parts.default([]) });

async function portFinding({ HOST, PORT }: Pick<Config, "HOST" | "PORT">): Promise<Finding> {
  if (PORT === 0) return ok("port", "any free one, as PORT=0 asks");
  try {
    await expectFree(HOST, PORT);
    return ok("port", `${PORT} is free: the product is not running here`);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isTaken) return wrong("port", wordsForOperator(error));
  }
  const answer = await askReadiness(`http://${HOST === "0.0.0.0" ? "127.0.0.1" : HOST}:${PORT}/readyz`);
  if (answer === undefined)
    return wrong("port", `${PORT} is taken by another program`, "stop it, or set PORT to a free port");
  const { problems, degraded } = answer;
  const todo = "see the other findings, and its log";
  if (problems.length > 0)
    return wrong("port", `${PORT} is ours, and not ready (${wordsOf(problems)})`, todo);
  return degraded.length > 0
    ? warning("port", `${PORT} is ours, and is degraded (${wordsOf(degraded)})`, todo)
    : ok("port", `${PORT} is ours, and ready`);
}

const wordsOf = (found: z.output<typeof parts>): string =>
  found.map(({ name, problem }) => `${name}: ${problem}`).join("; ");

async function askReadiness(url: string): Promise<z.output<typeof readiness> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: "error" });
    return readiness.safeParse(await response.json()).data;
  } catch {
    // Any other answer, or none, means another program.
    return undefined;
  }
}

/** Combinations that suit development but not production. */
function settingFindings(config: Config): readonly Finding[] {
  if (config.NODE_ENV !== "production") return [ok("settings", `readable; NODE_ENV is ${config.NODE_ENV}`)];
  const findings = [...sandboxFindings(config), ...addressFindings(config)];
  return findings.length > 0 ? findings : [ok("settings", "readable, and fit for production")];
}

function sandboxFindings(config: Config): Finding[] {
  try {
    refuseSandboxInProduction(config);
  } catch (error) {
    return [wrong("settings", wordsForOperator(error))];
  }
  const sandboxed = Object.values(modesOf(config.providers)).some(isUnreal);
  return sandboxed
    ? [
        warning(
          "settings",
          "ALLOW_SANDBOX allows simulated providers in production",
          "set the live keys of each provider",
        ),
      ]
    : [];
}

function addressFindings({ PUBLIC_URL, TRUST_PROXY }: Pick<Config, "PUBLIC_URL" | "TRUST_PROXY">): Finding[] {
  if (PUBLIC_URL === undefined)
    return [
      wrong(
        "PUBLIC_URL",
        "not set: links in emails would lead to localhost",
        "set it to the address customers type",
      ),
    ];
  if (!PUBLIC_URL.startsWith("https:"))
    return [
      wrong(
        "PUBLIC_URL",
        "starts with http://: cookies and customers' input would be sent unencrypted",
        "put a proxy with TLS in front, and set it to the https:// address",
      ),
    ];
  return TRUST_PROXY
    ? []
    : [
        warning(
          "TRUST_PROXY",
          "0, while PUBLIC_URL starts with https://: all customers behind the proxy share one rate limit",
          "set it to 1 if your proxy sets X-Forwarded-For",
        ),
      ];
}

function providersFinding({ providers }: Pick<Config, "providers">): Finding {
  const modes = Object.entries(modesOf(providers)).map(
    ([part, mode]) => `${part} ${mode === "byHand" ? "by hand" : mode}`,
  );
  return ok("providers", modes.join(", "));
}

type Provider = {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Whether the product itself listens there while it runs. */
  readonly isOurs?: boolean;
};

function providersOf({ providers }: Pick<Config, "providers">): readonly Provider[] {
  const { stripe, clerk, smtp, mailIn, scanner, automation } = providers;
  const service = automation && new URL(automation.url);
  return [
    ...(stripe ? [{ name: "Stripe", host: "api.stripe.com", port: 443 }] : []),
    ...(clerk ? [{ name: "Clerk", host: "api.clerk.com", port: 443 }] : []),
    ...(smtp ? [{ name: "mail server", host: smtp.host, port: smtp.port }] : []),
    ...(mailIn?.from ? [{ ...mailIn.from, name: "mail in", isOurs: mailIn.from.protocol !== "imap" }] : []),
    ...(scanner ? [{ name: "virus scanner", ...scanner }] : []),
    ...(service
      ? [
          {
            name: "automation service",
            host: service.hostname,
            port: Number(service.port || (service.protocol === "https:" ? 443 : 80)),
          },
        ]
      : []),
  ];
}

const connectWithinMs = 5_000;

/** Whether a connection succeeds. Nothing is sent, in particular no key. */
const reachCheck = ({ name, host, port, isOurs = false }: Provider): Check => ({
  about: name,
  look: () =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: connectWithinMs });
      const end = (finding: Finding) => {
        socket.destroy();
        resolve([finding]);
      };
      const unreachable = (why: string) =>
        end(
          isOurs
            ? warning(name, `nothing listens on ${host}:${port} (${why})`, "start the product")
            : wrong(
                name,
                `${host}:${port} cannot be reached (${why})`,
                "check the network, the firewall and its address",
              ),
        );
      socket.once("connect", () => end(ok(name, `${host}:${port} accepts connections`)));
      socket.once("timeout", () => unreachable("no answer"));
      socket.once("error", (error) => unreachable("code" in error ? String(error.code) : error.name));
    }),
});

const about = "company";

/**
 * Whether customers can read what the law demands, which production starts with.
 * @param company as the settings have it; undefined where they cannot be read, and only the environment is known
 */
export function companyFinding(config: Config, company: Company | undefined): Finding {
  const missing = missingWords(company ?? companyGivenBy(config));
  if (missing === undefined) return ok(about, "customers are told who runs the service");
  const what = `customers are not told what the law demands: ${missing}`;
  const todo = "set each, or change the company details in the back office";
  if (!mustIdentify(config)) return ok(about, "not yet all that production demands");
  return company === undefined
    ? warning(about, `${what}; unless the back office has it, which only the database could tell`, todo)
    : wrong(about, what, todo);
}

/** The same with the settings as the log has them. */
export async function lookAtCompany(config: Config, store: EventStore, pool: Pool): Promise<Finding> {
  const texts = createSettingsTexts(pool);
  const { company } = await readSettings({ store, texts, given: settingsGivenBy(config) });
  return companyFinding(config, company);
}
