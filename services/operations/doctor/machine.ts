import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../infra/config/config.ts";
import { builtWeb } from "../../../infra/setup/build-web.ts";
import { findChromium } from "../../../infra/setup/find-chromium.ts";
import { root } from "../../../infra/setup/steps.ts";
import { type Check, type Finding, ok, warning, wrong } from "./finding.ts";

const leastNode = 24;

/** The Node version, its packages, and the built pages. */
export const machineChecks = ({ SKIP_WEB_BUILD }: Pick<Config, "SKIP_WEB_BUILD">): readonly Check[] => [
  { about: "Node", look: async () => [nodeFinding(process.versions.node)] },
  { about: "packages", look: async () => [packagesFinding(root)] },
  { about: "pages", look: async () => [pagesFinding(builtWeb(), SKIP_WEB_BUILD)] },
  { about: "Chromium", look: async () => [chromiumFinding(findChromium())] },
];

export function nodeFinding(version: string): Finding {
  if (Number(version.split(".")[0]) >= leastNode) return ok("Node", version);
  return wrong(
    "Node",
    `${version} is too old`,
    `install Node ${leastNode}, or start with npm, which brings one`,
  );
}

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

const chromiumFinding = (path: string | undefined): Finding =>
  path === undefined
    ? ok("Chromium", "none yet: only npm test needs one, and it unpacks its own where a package provides it")
    : ok("Chromium", `for tests, ${path}`);
