import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { type Config, readConfig } from "../../../infra/config/config.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import {
  clockFinding,
  examine,
  lineOf,
  nodeFinding,
  ok,
  pagesFinding,
  roleFindings,
  roomFinding,
  settingsFindings,
  wrong,
} from "./findings.ts";
import { surroundingChecks } from "./surroundings.ts";

test("A line gives the subject, state, result and remedy", () => {
  expect(lineOf(ok("Node", "24.21.0"))).toBe("ok       Node: 24.21.0");
  expect(lineOf(wrong("port", "3000 is taken", "set PORT"))).toBe("wrong    port: 3000 is taken — set PORT");
});

test("A check that throws is a finding, and the next one still runs", async () => {
  const findings = await examine([
    { about: "one", look: () => Promise.reject(new OperatorError("Mount its disk.")) },
    { about: "two", look: () => Promise.reject(new TypeError("Something of ours.")) },
    { about: "three", look: async () => [ok("three", "there")] },
  ]);
  expect(findings.map(lineOf)).toEqual([
    "wrong    one: Mount its disk.",
    "wrong    two: TypeError: Something of ours.",
    "ok       three: there",
  ]);
});

test.each([
  ["20.19.0", "wrong"],
  ["24.0.0", "ok"],
])("Node %s is %s", (version, state) => {
  expect(nodeFinding(version).state).toBe(state);
});

test.each([
  [100, "wrong"],
  [1000, "warning"],
  [10_000, "ok"],
])("%d MB free is %s", (megabytes, state) => {
  expect(roomFinding("DATA_DIR", megabytes * 1_048_576).state).toBe(state);
});

test("A small disk is enough for keys, and a full one refuses orders", () => {
  expect(roomFinding("KEY_DIR", 60 * 1_048_576).state).toBe("ok");
  expect(roomFinding("KEY_MIRROR_DIR", 10 * 1_048_576).state).toBe("warning");
  expect(lineOf(roomFinding("KEY_DIR", 500_000))).toBe(
    "wrong    KEY_DIR disk: 0 MB free — free up space now: a full disk refuses new orders",
  );
});

test.each([
  [10, "ok"],
  [5_000, "warning"],
  [31_000, "wrong"],
])("Clocks %d ms apart are %s", (skewMs, state) => {
  expect(clockFinding(skewMs).state).toBe(state);
});

test.each([
  ["postgres://ours", { role: "orders", canChange: false }, ["ok"]],
  ["postgres://ours", { role: "postgres", canChange: true }, ["warning"]],
  // The product has the embedded server's password.
  [undefined, { role: "postgres", canChange: true }, ["ok"]],
  ["postgres://ours", undefined, []],
])("At %s, the role %j is %j", (DATABASE_URL, rights, states) => {
  expect(roleFindings({ DATABASE_URL }, rights).map(({ state }) => state)).toEqual(states);
});

test.each([
  ["current", true, "ok"],
  ["stale", false, "ok"],
  ["stale", true, "warning"],
  ["missing", true, "wrong"],
] as const)("Pages that are %s, with SKIP_WEB_BUILD %s, are %s", (pages, isSkipped, state) => {
  expect(pagesFinding(pages, isSkipped).state).toBe(state);
});

test("Durable settings in UTF8 are ok, and any other is named", () => {
  const good = [
    ["fsync", "on"],
    ["full_page_writes", "on"],
    ["synchronous_commit", "on"],
    ["server_encoding", "UTF8"],
  ] as const;
  const finding = (...others: (readonly [string, string])[]) =>
    settingsFindings(new Map([...good, ...others]))
      .map(lineOf)
      .join();
  expect(finding()).toMatch(/^ok/);
  expect(finding(["synchronous_commit", "off"])).toMatch(/^wrong.*: synchronous_commit off/);
  expect(finding(["server_encoding", "LATIN1"])).toMatch(/^wrong.*LATIN1.* — create a database in UTF8/);
});

/** The lines of one check of the surroundings; undefined when it is not made. */
const linesOf = async (config: Config, about: string, online = false): Promise<string | undefined> => {
  const check = surroundingChecks(config, online).find((one) => one.about === about);
  return check && (await check.look()).map(lineOf).join();
};

/** Subjects that are checked only with a connection. */
const reachedBy = (config: Config): string[] => {
  const offline = surroundingChecks(config, false).map(({ about }) => about);
  return surroundingChecks(config, true).flatMap(({ about }) => (offline.includes(about) ? [] : [about]));
};

test("A provider that cannot be reached is named with its address, and an unset one is not tried", async () => {
  const sandboxed = readConfig({}, tmpdir());
  expect(reachedBy(sandboxed)).toEqual([]);
  const withMail = readConfig({ SMTP_URL: "smtp://127.0.0.1:1" }, tmpdir());
  expect(reachedBy(withMail)).toEqual(["mail server"]);
  const all = {
    MAIL_IN_URL: "lmtp://127.0.0.1:1",
    MAIL_IN_ADDRESS: "help@a.example",
    SCANNER_URL: "tcp://127.0.0.1:1",
  };
  expect(reachedBy(readConfig(all, tmpdir()))).toEqual(["mail in", "virus scanner", "mail domain"]);
  expect(await linesOf(readConfig(all, tmpdir()), "mail in", true)).toBe(
    "warning  mail in: nothing listens on 127.0.0.1:1 (ECONNREFUSED) — start the product",
  );
  expect(await linesOf(withMail, "mail server", true)).toBe(
    "wrong    mail server: 127.0.0.1:1 cannot be reached (ECONNREFUSED) — check the network, the firewall and its address",
  );
});

test("Submission by hand is reported as such, not as a sandbox", async () => {
  const production = { NODE_ENV: "production", PUBLIC_URL: "https://www.example.com" };
  const byHand = readConfig({ ...production, GRO_SUBMISSION: "by-hand" }, tmpdir());
  expect(await linesOf(byHand, "providers")).toContain("submission by hand");
  expect(reachedBy(byHand)).toEqual([]);
  expect(await linesOf(byHand, "settings")).toMatch(/no card would be charged(?!.*nothing would be sent)/);
  expect(await linesOf(readConfig(production, tmpdir()), "settings")).toContain("nothing would be sent");
});
