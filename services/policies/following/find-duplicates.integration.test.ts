import { expect, it, vi } from "vitest";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { openKeyRing } from "../../../infra/key-ring/file-key-ring.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { pay, placeAndAsk, placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { noSweepSeconds, openTestSystem, type TestSystem } from "../../../testing/system/test-system.ts";
import { addVariant } from "../../orders/add-variant.ts";
import { createBlindIndex } from "../../vault/blind-index.ts";
import { findDuplicates } from "./find-duplicates.ts";

let drafts = 0;

/** What a customer's browser sends: another draft for each order. */
const from = (email: string) => {
  drafts += 1;
  return { email, draftId: `draft-${drafts}` };
};

/** Policies while the GRO cannot be reached: applications stay. */
async function beginInOutage(system: TestSystem): Promise<void> {
  system.around.automation.mood = "down";
  await system.begin({ sweepEverySeconds: noSweepSeconds });
}

async function areSame(system: TestSystem, ...orderIds: readonly string[]): Promise<boolean> {
  const [one = [], other = []] = await Promise.all(
    orderIds.map(async (orderId) => (await system.order(orderId)).certificateIds ?? []),
  );
  return one.some((id) => other.includes(id));
}

const seeSame = (system: TestSystem, ...orderIds: readonly string[]) =>
  vi.waitFor(async () => expect(await areSame(system, ...orderIds)).toBe(true), soon);

/** Two orders that are found to be the same: then whatever was paid for before has been compared. */
async function seeControlFound(system: TestSystem): Promise<void> {
  const [one, other] = [
    await placeAndPay(system.deps, from("control@post.example")),
    await placeAndPay(system.deps, from("control@post.example")),
  ];
  await seeSame(system, one.orderId, other.orderId);
}

const fail = (_: string, error: unknown) => {
  throw error;
};

const foundIn = async (system: TestSystem, orderIds: readonly string[]) => {
  const types = await Promise.all(orderIds.map((orderId) => system.eventTypes(orderId)));
  return types.flat().filter((type) => type === "SameCertificateFound").length;
};

it("finds that a customer ordered the same at two devices, while the first application is there", async () => {
  await using system = await openTestSystem();
  await beginInOutage(system);
  const first = await placeAndPay(system.deps, from("nest@post.example"));
  const second = await placeAndPay(system.deps, from(" NEST@post.example"));
  await seeSame(system, first.orderId, second.orderId);
  expect(await foundIn(system, [first.orderId, second.orderId])).toBe(1);
  expect(system.logLines.join("")).not.toMatch(/Llywelyn|Aberystwyth|post\.example/);
});

it("finds it where both are paid for at once, once however often the payments are followed", async () => {
  await using system = await openTestSystem();
  const [one, other] = await Promise.all([
    placeAndAsk(system.deps, from("both@post.example")),
    placeAndAsk(system.deps, from("both@post.example")),
  ]);
  await Promise.all([pay(system.deps, one), pay(system.deps, other)]);
  await beginInOutage(system);
  await seeSame(system, one.orderId, other.orderId);
  await seeControlFound(system);
  // Delivered again, perhaps in another order.
  const keyRing = await openKeyRing({ directory: system.around.keyDir, now: system.deps.now });
  const parts = { ...system.deps, index: createBlindIndex({ ...system, keyRing, now: system.deps.now }) };
  await findDuplicates(parts, [other.orderId, one.orderId], fail);
  expect(await foundIn(system, [one.orderId, other.orderId])).toBe(1);
});

it("takes no other certificate, no other customer, and no order without a draft for the same", async () => {
  await using system = await openTestSystem();
  await beginInOutage(system);
  const { deps } = system;
  const first = await placeAndPay(deps, from("gwen@post.example"));
  const another = await placeAndAsk(deps, from("gwen@post.example"));
  const details = { ...variantBody().certificateDetails, ForenamesAtBirth: "Gwen" };
  const variant = variantRequest("2026-11-21").parse(variantBody({ certificateDetails: details }));
  await addVariant(deps, another.orderId, variant, undefined, customer);
  await pay(deps, another);
  const neighbour = await placeAndPay(deps, from("neighbour@post.example"));
  const anotherCopy = await placeAndPay(deps, { email: "gwen@post.example" });
  await seeControlFound(system);
  const all = [first, another, neighbour, anotherCopy].map(({ orderId }) => orderId);
  expect(await foundIn(system, all)).toBe(0);
});

it("compares nothing once the first application is purged", async () => {
  await using system = await openTestSystem();
  const policies = await system.begin();
  const purged = await placeAndPay(system.deps, from("gone@post.example"));
  await vi.waitFor(
    async () => expect((await system.order(purged.orderId)).vault.application).toBeNull(),
    soon,
  );
  await vi.waitFor(
    async () => expect(await system.eventTypes(purged.orderId)).toContain("SensitiveDataPurged"),
    soon,
  );
  await policies.stop();
  await beginInOutage(system);
  const later = await placeAndPay(system.deps, from("gone@post.example"));
  await seeControlFound(system);
  expect(await areSame(system, purged.orderId, later.orderId)).toBe(false);
});

it("goes on where an application cannot be read, and says which order was not compared", async () => {
  await using system = await openTestSystem();
  await beginInOutage(system);
  const first = await placeAndPay(system.deps, from("broken@post.example"));
  await seeControlFound(system);
  const broken = "update vault_records set ciphertext = '\\x00' where subject = $1 and kind = 'application'";
  await system.pool.query(broken, [first.orderId]);
  const second = await placeAndPay(system.deps, from("broken@post.example"));
  await seeControlFound(system);
  expect(await areSame(system, first.orderId, second.orderId)).toBe(false);
  expect(system.logLines.filter((line) => line.includes("could not be compared"))).toEqual([
    expect.stringContaining(second.orderId),
  ]);
});
