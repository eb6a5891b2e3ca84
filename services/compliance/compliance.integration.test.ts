import { createHash, createVerify, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notDestroyed } from "../../testing/domain/purge-fixture.ts";
import {
  bySystem,
  confirmedOrder,
  type StaffBrowser,
  staffBrowser,
  submittedOrder,
} from "../../testing/gateway/admin-order-fixture.ts";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import { recordPurge } from "../../testing/services/paid-order-fixture.ts";
import { recordBounce } from "../correspondence/record-bounce.ts";
import { outcomeCommand } from "../orders/submission/gro-outcome.ts";
import type { OutstandingPurge } from "../policies/work/work-reads.ts";

let stack: TestStack;
let auditor: StaffBrowser;
/** What the policies owe; they do not run here. */
let due: OutstandingPurge[] = [];
beforeAll(async () => {
  stack = await startTestStack({ outstandingPurges: async () => due });
  auditor = await staffBrowser(stack, "compliance", "auditor");
});
afterAll(() => stack.close());

const receipt = {
  destroyed: ["application", "signature"],
  rule: "submitted",
  keyFingerprint: "cd".repeat(32),
  probe: "unreadable",
  records: 2,
} as const;
const path = "/api/admin/compliance";

const purgeOf = async (orderNumber: string) => {
  const { body } = await auditor.get(`${path}/purges?limit=200`);
  return body.purges.filter((purge: { number: string | null }) => purge.number === orderNumber);
};

test("The register names each purge with its receipt and the order's number", async () => {
  const { id, orderNumber } = await submittedOrder(stack);
  await recordPurge(stack.deps, id, "application", bySystem(), notDestroyed);
  await recordPurge(stack.deps, id, "application", bySystem());
  await expect.poll(async () => (await purgeOf(orderNumber)).length).toBe(2);
  expect(await purgeOf(orderNumber)).toMatchObject([
    {
      ...receipt,
      about: "order",
      dataClass: "application",
      outcome: "purged",
      secondsSinceSubmission: expect.any(Number),
    },
    { dataClass: "application", outcome: "failed", code: "stillReadable", keyFingerprint: null },
  ]);
  const troubled = await auditor.get(`${path}/purges?troubled=1`);
  expect(troubled.body.purges.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["failed"]);
});

test("The register has the receipt of a deletion that came back", async () => {
  const { id, orderNumber } = await submittedOrder(stack);
  await recordPurge(stack.deps, id, "application", bySystem());
  const { orders, newId } = stack.deps;
  const template = "dataDeleted";
  const about = (await orders.load(id)).order.mails.owed.find((mail) => mail.template === template)?.about;
  const mail = { template, about: about ?? "" } as const;
  const by = bySystem();
  const sent = { type: "RecordMail", data: { ...mail, templateVersion: 5, result: "sent" } } as const;
  await orders.execute({ orderId: id, commandId: newId(), by, command: sent });
  const bounce = { subject: { kind: "order", id }, mail, kind: "hard", code: "5.1.1", by } as const;
  await recordBounce(stack.deps, { ...bounce, commandId: newId() });
  await expect.poll(async () => (await purgeOf(orderNumber)).length).toBe(2);
  expect(await purgeOf(orderNumber)).toMatchObject([{ outcome: "unreceived" }, { outcome: "purged" }]);
  const troubled = await auditor.get(`${path}/purges?troubled=1`);
  expect(troubled.body.purges).toContainEqual(expect.objectContaining({ outcome: "unreceived" }));
});

test("The register is read page by page, and a page's place is no other list's", async () => {
  for (const _ of [1, 2, 3]) {
    const { id, orderNumber } = await submittedOrder(stack);
    await recordPurge(stack.deps, id, "application", bySystem());
    await expect.poll(async () => (await purgeOf(orderNumber)).length).toBe(1);
  }
  const whole = (await auditor.get(`${path}/purges?limit=200`)).body.purges;
  const first = (await auditor.get(`${path}/purges?limit=2`)).body;
  const second = (await auditor.get(`${path}/purges?limit=200&after=${first.next}`)).body;
  expect([...first.purges, ...second.purges]).toEqual(whole);
  expect(second.next).toBeNull();
  expect((await auditor.get(`${path}/purges?after=bm8`)).status).toBe(422);
  expect((await auditor.get(`${path}/purges?rule=whim`)).status).toBe(422);
  const inYearZero = Buffer.from(JSON.stringify(["0000-01-01T00:00:00.000Z", randomUUID()])).toString(
    "base64url",
  );
  for (const query of ["from=0000-13-01", "from=0000-01-01", "to=9999-12-31", `after=${inYearZero}`])
    expect((await auditor.get(`${path}/purges?${query}`)).status).toBe(422);
});

test("The access log says who looked, at what and why, and nothing of what they saw", async () => {
  const { orderNumber } = await confirmedOrder(stack);
  const clerk = await staffBrowser(stack, "staff", "clerk");
  const revealed = await clerk.post(`/api/admin/orders/${orderNumber}/reveal`, {
    dataClass: "contact",
    reason: "customerAsked",
  });
  expect(revealed.status).toBe(200);
  const entries = async () => (await auditor.get(`${path}/access`)).body.entries;
  await expect
    .poll(entries)
    .toMatchObject([{ about: "order", number: orderNumber, dataClass: "contact", reason: "customerAsked" }]);
  const [{ staffId }] = await entries();
  expect(staffId).toMatch(/^user_/);
  expect((await auditor.get(`${path}/access?staffId=user_nobody`)).body.entries).toEqual([]);
  expect(JSON.stringify(await entries())).not.toMatch(/Siân|Rhys|post\.example/);
});

test("The register has the text of a GRO question, with its rule, and the access log who read it", async () => {
  const { id, orderNumber } = await submittedOrder(stack);
  const { orders, newId } = stack.deps;
  const named = { orderId: id, commandId: newId(), repeatable: false };
  const asked = { attempt: 1, outcome: "queried", question: "Which Bangor?" } as const;
  const by = bySystem();
  await orders.execute({ orderId: id, by, ...outcomeCommand(stack.deps, named, asked) });
  const clerk = await staffBrowser(stack, "staff", "clerk");
  const look = { dataClass: "question", reason: "groQuery" };
  expect((await clerk.post(`/api/admin/orders/${orderNumber}/reveal`, look)).status).toBe(200);
  const command = { type: "FailOrder", data: { cause: "gro", reason: "detailsInsufficient" } } as const;
  const { order } = await orders.execute({ orderId: id, commandId: newId(), by, command });
  const [{ ref: recordRef = "" } = {}] = order.vault.questions;
  const { keyFingerprint, probe } = await stack.vault.destroy([recordRef]);
  const data = { recordRef, keyFingerprint, probe };
  const purged = { type: "PurgeReplacedRecord", data } as const;
  await orders.execute({ orderId: id, commandId: newId(), by, command: purged });
  await expect.poll(async () => (await purgeOf(orderNumber)).length).toBe(1);
  expect(await purgeOf(orderNumber)).toMatchObject([
    {
      dataClass: "application",
      destroyed: ["groQuestion"],
      rule: "questionClosed",
      records: 1,
      keyFingerprint,
    },
  ]);
  const { body } = await auditor.get(`${path}/purges?rule=questionClosed`);
  expect(body.purges.map(({ number }: { number: string }) => number)).toEqual([orderNumber]);
  const looks = async () =>
    (await auditor.get(`${path}/access`)).body.entries.filter(
      (entry: { number: string }) => entry.number === orderNumber,
    );
  await expect.poll(looks).toMatchObject([look]);
});

test("What is due names the order and the time", async () => {
  const { id, orderNumber } = await confirmedOrder(stack);
  const owed = { name: "purge-application-1", kind: "purge", dueAt: "2026-11-21T09:30:00.000Z", tries: 2 };
  due = [{ ...owed, subjectId: id }];
  await expect
    .poll(async () => (await auditor.get(`${path}/due`)).body)
    .toEqual({
      due: [{ ...owed, number: orderNumber }],
    });
});

test("The whole log is read when asked, and what came of it is listed", async () => {
  const started = await auditor.post(`${path}/audit`, {});
  expect(started.status).toBe(202);
  const runs = async () => (await auditor.get(`${path}/audit`)).body.runs;
  await expect.poll(async () => (await runs()).length).toBe(1);
  expect(await runs()).toMatchObject([{ kind: "whole", problem: null }]);
  expect((await auditor.get(`${path}/audit`)).body).toMatchObject({ state: "following", running: null });
});

test("A signed file can be checked with its own key, and shows any change", async () => {
  const reply = await auditor.get(`${path}/export?register=purges`);
  const { csv, sha256, statement, signature, publicKeyPem, rows } = reply.body;
  const holds = (text: string) =>
    createVerify("sha256").update(text).verify(publicKeyPem, Buffer.from(signature, "base64"));
  expect(createHash("sha256").update(csv).digest("hex")).toBe(sha256);
  expect(holds(statement)).toBe(true);
  expect(statement.split("\n")).toEqual([
    "Register: purges",
    "Only: {}",
    `Made at: ${reply.body.madeAt}`,
    `Rows: ${rows}`,
    `SHA-256 of the table: ${sha256}`,
  ]);
  for (const change of [sha256.slice(0, 8), "purges", "{}", reply.body.madeAt])
    expect(holds(statement.replace(change, "other")), change).toBe(false);
  expect(csv.trimEnd().split("\r\n")).toHaveLength(rows + 1);
  expect(reply.headers.get("Content-Disposition")).toMatch(
    /attachment; filename=purges-\d{4}-\d\d-\d\d\.json/,
  );
  const some = await auditor.get(`${path}/export?register=purges&dataClass=contact&from=2026-01-01&limit=1`);
  expect(some.body.statement).toContain('Only: {"from":"2026-01-01T00:00:00.000Z","dataClass":"contact"}');
  const register = await auditor.get(`${path}/export?register=access`);
  expect(register.body.csv).toContain("customerAsked");
});

test("The schedule and the record of processing are those of the running house", async () => {
  const { body: schedule } = await auditor.get(`${path}/retention`);
  expect(schedule.lines).toContainEqual(
    expect.objectContaining({ subject: "order", rule: "submitted", afterSeconds: 5 }),
  );
  const { body: record } = await auditor.get(`${path}/processing`);
  expect(record.activities.length).toBeGreaterThan(3);
});
