import type { Config } from "../../../infra/config/config.ts";
import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";
import type { builtWeb } from "../../../infra/setup/build-web.ts";

/** A check's result. `todo` says how to fix it, unless `what` does. */
export type Finding = {
  readonly about: string;
  readonly state: "ok" | "warning" | "wrong";
  readonly what: string;
  readonly todo: string | null;
};

/** As it should be, or left unchecked for a good reason. */
export const ok = (about: string, what: string): Finding => ({ about, state: "ok", what, todo: null });

/** Works now, but may not continue to. */
export const warning = (about: string, what: string, todo: string | null = null): Finding => ({
  about,
  state: "warning",
  what,
  todo,
});

/** Does not work, or breaks a promise. */
export const wrong = (about: string, what: string, todo: string | null = null): Finding => ({
  about,
  state: "wrong",
  what,
  todo,
});

/** Checks something without changing it. Thrown errors become findings. */
export type Check = { readonly about: string; readonly look: () => Promise<readonly Finding[]> };

const patienceMs = 15_000;

/** Runs the checks one after the other, so a struggling machine is not overloaded. */
export async function examine(checks: readonly Check[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await lookAt(check)));
  return findings;
}

async function lookAt({ about, look }: Check): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    const finding = wrong(
      about,
      `did not answer within ${patienceMs / 1000} s`,
      "check whether it is overloaded",
    );
    timer = setTimeout(() => resolve([finding]), patienceMs);
  });
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return [wrong(about, firstLine(error))];
  } finally {
    clearTimeout(timer);
  }
}

// Operators need the error's name and message, not its stack.
function firstLine(error: unknown): string {
  const known = wordsForOperator(error);
  if (error instanceof OperatorError || !(error instanceof Error)) return known;
  return known.includes("\n") ? `${error.name}: ${error.message}` : known;
}

/** A finding as a line: subject, state, result, and remedy. */
export const lineOf = ({ about, state, what, todo }: Finding): string =>
  `${state.padEnd(7)}  ${about}: ${what}${todo === null ? "" : ` — ${todo}`}`;

/** What measured values amount to. */

const leastNode = 24;

export function nodeFinding(version: string): Finding {
  if (Number(version.split(".")[0]) >= leastNode) return ok("Node", version);
  return wrong(
    "Node",
    `${version} is too old`,
    `install Node ${leastNode}, or start with npm, which brings one`,
  );
}

export function pagesFinding(pages: ReturnType<typeof builtWeb>, isBuildSkipped: boolean): Finding {
  if (pages === "current") return ok("pages", "built from these sources");
  if (!isBuildSkipped) return ok("pages", "not built from these sources yet: the next start builds them");
  const todo = "start once without SKIP_WEB_BUILD, or deploy web/dist with the code";
  return pages === "missing"
    ? wrong("pages", "there are none, and SKIP_WEB_BUILD prevents a start from building them", todo)
    : warning(
        "pages",
        "built from other sources, and SKIP_WEB_BUILD prevents a start from building them",
        todo,
      );
}

const mega = 1_048_576;
export type Folder = "DATA_DIR" | "KEY_DIR" | "KEY_MIRROR_DIR";

type Room = {
  readonly leastBytes: number;
  /** Below this an operator should act soon. */
  readonly lookAtBytes: number;
  readonly whenFull: string;
};

/** A small disk of its own is enough for keys: 1,024 take 40 KB. */
const keyRoom: Room = { leastBytes: mega, lookAtBytes: 16 * mega, whenFull: "refuses new orders" };

const roomOf: Readonly<Record<Folder, Room>> = {
  // With less, the embedded Postgres may not restart.
  DATA_DIR: { leastBytes: 256 * mega, lookAtBytes: 2048 * mega, whenFull: "stops the database" },
  KEY_DIR: keyRoom,
  KEY_MIRROR_DIR: keyRoom,
};

/** @param freeBytes space this user can still write there */
export function roomFinding(about: Folder, freeBytes: number): Finding {
  const { leastBytes, lookAtBytes, whenFull } = roomOf[about];
  const free = `${Math.floor(freeBytes / mega).toLocaleString("en-GB")} MB free`;
  if (freeBytes < leastBytes)
    return wrong(`${about} disk`, free, `free up space now: a full disk ${whenFull}`);
  return freeBytes < lookAtBytes
    ? warning(`${about} disk`, free, "free up space soon")
    : ok(`${about} disk`, free);
}

/** Settings without which an acknowledged event may be lost in a power cut. */
export const durable = ["fsync", "full_page_writes", "synchronous_commit"] as const;

/** @param settings the server's settings, by name */
export function settingsFindings(settings: ReadonlyMap<string, string>): readonly Finding[] {
  const about = "database settings";
  const off = durable.filter((name) => settings.get(name) === "off");
  const encoding = settings.get("server_encoding");
  if (encoding !== "UTF8")
    return [
      wrong(about, `its encoding is ${encoding}, which cannot store every name`, "create a database in UTF8"),
    ];
  if (off.length === 0) return [ok(about, "acknowledged events are on disk")];
  return [
    wrong(
      about,
      `${off.join(" and ")} off: a power cut may lose acknowledged events`,
      "set each to on in postgresql.conf, for this database and for its user",
    ),
  ];
}

/** @param rights undefined before there is a log */
export function roleFindings(
  { DATABASE_URL }: Pick<Config, "DATABASE_URL">,
  rights: { readonly role: string; readonly canChange: boolean } | undefined,
): readonly Finding[] {
  const about = "database role";
  if (rights === undefined) return [];
  if (!rights.canChange)
    return [ok(about, `${rights.role} may append events, and not change or delete them`)];
  // The product has the password of the embedded server.
  if (DATABASE_URL === undefined) return [ok(about, `${rights.role} owns the embedded Postgres`)];
  return [
    warning(
      about,
      `${rights.role} could change and delete events`,
      "run the product as a role that cannot (npm run migrate -- --grant ROLE)",
    ),
  ];
}

/** Tolerable for leases and checkpoints; beyond the second limit, promises and receipts go wrong. */
const noticeableMs = 2_000;
const harmfulMs = 30_000;

/** @param skewMs difference between this machine's clock and the database's */
export function clockFinding(skewMs: number): Finding {
  const apart = `${(skewMs / 1000).toFixed(1)} s apart from the database's`;
  const todo = "synchronise both clocks (NTP): times of orders and purges come from both";
  if (skewMs > harmfulMs) return wrong("clock", apart, todo);
  return skewMs > noticeableMs ? warning("clock", apart, todo) : ok("clock", apart);
}
