import { expect, test } from "vitest";
import { bounceOf, fieldsOf, outcomesOf } from "./bounce.ts";

test.each([
  ["5.1.1", "", "hard", "5.1.1"],
  ["5.1.10", "", "hard", "5.1.10"],
  ["5.2.1", "mailbox disabled", "hard", "5.2.1"],
  ["5.2.2", "", "soft", "5.2.2"],
  ["4.2.2", "", "soft", "4.2.2"],
  ["5.2.3", "message too large", "soft", "5.2.3"],
  ["5.3.4", "", "soft", "5.3.4"],
  ["5.4.1", "", "hard", "5.4.1"],
  ["5.4.7", "expired", "soft", "5.4.7"],
  ["5.6.1", "", "spam", "5.6.1"],
  ["5.7.1", "", "spam", "5.7.1"],
  ["5.7.1", "550 5.7.1 user unknown", "hard", "5.7.1"],
  ["5.7.1", "mailbox full", "soft", "5.7.1"],
  ["5.0.0", "", "hard", "5.0.0"],
  ["5.0.0", "550-5.7.26 this mail is unauthenticated", "spam", "5.7.26"],
  ["5.0.0", "(#5.1.1)", "hard", "5.1.1"],
  ["5.0.0", "blocked by 192.5.1.1 for spam", "spam", "5.0.0"],
  ["", "550 no such user", "hard", "550"],
  ["", "552 too much", "soft", "552"],
  ["", "554 go away", "spam", "554"],
  ["", "554 mailbox unavailable", "hard", "554"],
  ["", "451 later", "soft", "451"],
  ["", "it did not work", "soft", ""],
] as const)("Status %j with %j is %s, code %j", (status, diagnostic, severity, code) => {
  expect(bounceOf({ status, diagnostic })).toEqual({ severity, code });
});

test("Each recipient of a report has an outcome; the fields of the mail as a whole are none", () => {
  const report =
    "Reporting-MTA: dns; mx.example\r\n\r\nAction: Delayed\r\nStatus: 4.0.0\r\n \r\nAction: failed (no such user)\r\nStatus: 5.1.1 (bad\r\n  address)\r\n";
  expect(outcomesOf(report)).toEqual([
    { action: "delayed", status: "4.0.0", diagnostic: "" },
    { action: "failed", status: "5.1.1 (bad address)", diagnostic: "" },
  ]);
});

test("A field counts at its first occurrence, unfolded", () => {
  const fields = fieldsOf("Message-ID:\r\n <a@b>\r\nX: 1\nmessage-id: <c@d>\n  and more\n");
  expect([...fields]).toEqual([
    ["message-id", "<a@b>"],
    ["x", "1"],
  ]);
});

test("A field of many lines takes no time", () => {
  const report = `Action: failed\nDiagnostic-Code: x\n${` ${"y".repeat(46)}\n`.repeat(100_000)}`;
  const { user: before } = process.cpuUsage();
  const [outcome] = outcomesOf(report);
  const ms = (process.cpuUsage().user - before) / 1_000;
  expect(outcome?.diagnostic).toHaveLength(1 + 47 * 100_000);
  // More than 30 s while each line copied those before it.
  expect(ms).toBeLessThan(5_000);
});
