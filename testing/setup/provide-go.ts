import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const sumdb = "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog";

/**
 * Whether tests can build Go's implementation of transparency logs. @returns why they cannot, undefined when they can
 */
export function provideGo(): string | undefined {
  const isThere = spawnSync("go", ["version"]).status === 0 && existsSync(sumdb);
  return isThere
    ? undefined
    : "there is no Go with golang.org/x/mod. Install both (Debian: apt-get install golang-go golang-golang-x-mod-dev)";
}
