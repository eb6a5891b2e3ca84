import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../../../infra/config/config.ts";
import { openEventStore } from "../../../infra/event-store/open-event-store.ts";
import { wordsForOperator } from "../../../infra/process/operator-error.ts";
import { builtWeb } from "../../../infra/setup/build-web.ts";
import { findChromium } from "../../../infra/setup/find-chromium.ts";
import { root } from "../../../infra/setup/steps.ts";
import { databaseChecks, notRunning, type OpenDatabase, openForLooking } from "./database.ts";
import {
  type Check,
  examine,
  type Finding,
  nodeFinding,
  ok,
  pagesFinding,
  warning,
  wrong,
} from "./findings.ts";
import { folderChecks } from "./folders.ts";
import { logChecks } from "./log-checks.ts";
import { companyFinding, lookAtCompany, surroundingChecks } from "./surroundings.ts";

type DoctorOptions = {
  /** Also connects to the providers. */
  readonly online: boolean;
  readonly now: () => Date;
  /** The environment on top of `.env`; throws if a setting is wrong. */
  readonly settings?: () => Config;
};

/** Checks an installation, running or not, without changing it. */
export async function lookAtInstallation(options: DoctorOptions): Promise<readonly Finding[]> {
  const { online, now, settings = readConfig } = options;
  let config: Config;
  try {
    config = settings();
  } catch (error) {
    // Without settings, nothing else can be located.
    const machine = await examine(machineChecks({ SKIP_WEB_BUILD: false }));
    return [
      ...wordsForOperator(error)
        .split("\n")
        .map((words) => wrong("settings", words)),
      ...machine,
    ];
  }
  return [
    ...(await examine(machineChecks(config))),
    ...(await examine(folderChecks(config))),
    ...(await examine(surroundingChecks(config, online))),
    ...(await storageFindings(config, now)),
  ];
}

async function storageFindings(config: Config, now: () => Date): Promise<readonly Finding[]> {
  let database: OpenDatabase | undefined;
  try {
    database = await openForLooking(config);
  } catch (error) {
    return [wrong("database", wordsForOperator(error))];
  }
  if (database === undefined) return [notRunning, ...(await examine([environmentCompany(config)]))];
  try {
    const findings = await examine(databaseChecks(database, config, now));
    return [...findings, ...(await logFindings(config, database, now))];
  } finally {
    await database.pool.end();
  }
}

const environmentCompany = (config: Config): Check => ({
  about: "company",
  look: async () => [companyFinding(config, undefined)],
});

async function logFindings(
  config: Config,
  { pool, connectionString }: OpenDatabase,
  now: () => Date,
): Promise<readonly Finding[]> {
  // Missing tables would otherwise be eight more findings that say the same.
  const { rows } = await pool.query("select 1 where to_regclass('public.followers') is not null");
  if (rows.length === 0) return [];
  try {
    const url = config.EVENTSTORE_URL;
    const store = await openEventStore({ url, pool, connectionString, patienceMs: 0, onlyLooks: true });
    try {
      const company = { about: "company", look: async () => [await lookAtCompany(config, store, pool)] };
      return await examine([...logChecks({ pool, store, config, now }), company]);
    } finally {
      await store.close();
    }
  } catch (error) {
    return [wrong("event store", wordsForOperator(error))];
  }
}

/** The Node version, its packages, and the built pages. */
const machineChecks = ({ SKIP_WEB_BUILD }: Pick<Config, "SKIP_WEB_BUILD">): readonly Check[] => [
  { about: "Node", look: async () => [nodeFinding(process.versions.node)] },
  { about: "packages", look: async () => [packagesFinding(root)] },
  { about: "pages", look: async () => [pagesFinding(builtWeb(), SKIP_WEB_BUILD)] },
  { about: "Chromium", look: async () => [chromiumFinding(findChromium())] },
];

/** @param folder the project's */
function packagesFinding(folder: string): Finding {
  const stamp = join(folder, "node_modules", ".installed-from");
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted)
    return ok("packages", "as in package-lock.json");
  return warning("packages", "differ from package-lock.json", "run npm start, which installs them");
}

const chromiumFinding = (path: string | undefined): Finding =>
  path === undefined
    ? ok("Chromium", "none yet: only npm test needs one, and it unpacks its own where a package provides it")
    : ok("Chromium", `for tests, ${path}`);
