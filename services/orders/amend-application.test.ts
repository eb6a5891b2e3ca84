import { describe, expect, test } from "vitest";
import { applicationRecord } from "../../domain/forms/sealed-records.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import {
  execute,
  paidOrder,
  purge,
  question,
  startAttempt,
  submit,
} from "../../testing/services/paid-order-fixture.ts";
import {
  beforeSealing,
  Crash,
  customer,
  failingAppends,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { amendApplication } from "./amend-application.ts";

const amendment = (placeOfBirth: string, gro = "") => ({
  application: {
    certificateType: "Birth",
    certificateDetails: { PlaceOfBirth: placeOfBirth },
    eventDetails: {},
    gro,
  },
  groReferenceKnown: gro !== "",
});
const key = { scope: "application of the order", key: "0f1e2d3c-0000-4000-8000-000000000001" };

const amend = (deps: TestDependencies, orderId: string, place: string, by = key) =>
  amendApplication(deps, orderId, amendment(place), by, customer);
/** With an index reference. */
const refer = (deps: TestDependencies, orderId: string) =>
  amendApplication(deps, orderId, amendment("Bangor", "1951 J Bangor 8a 142"), key, customer);
const typesOf = async (deps: TestDependencies, orderId: string) =>
  (await deps.events(orderId)).map(({ type }) => type);
const sealed = (deps: TestDependencies) =>
  [...deps.vault.records.values()].filter(({ kind }) => kind === "application");

async function placeIn(deps: TestDependencies, orderId: string): Promise<unknown> {
  const { order } = await deps.orders.load(orderId);
  const record = await deps.vault.open(order.vault.application ?? "", applicationRecord);
  return record.certificateDetails.PlaceOfBirth;
}

describe("Amending an application", () => {
  test("before anything was sent puts a record that can be opened in the place of the old one", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const old = (await deps.orders.load(orderId)).order.vault.application;
    const { order } = await amend(deps, orderId, "Bangor");
    expect(await placeIn(deps, orderId)).toBe("Bangor");
    expect(order.phase).toBe("Paid");
    // What stands here is what a policy destroys.
    expect(order.vault.superseded).toMatchObject([{ ref: old, dataClass: "application" }]);
    expect(JSON.stringify(await deps.events(orderId))).not.toContain("Bangor");
  });

  test("again with its key gives the first result, also once the GRO has it", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const first = await amend(deps, orderId, "Bangor");
    await submit(deps, orderId);
    const before = await typesOf(deps, orderId);
    const again = await amend(deps, orderId, "Bangor");
    expect(again.position).toBe(first.position);
    expect(await typesOf(deps, orderId)).toEqual(before);
    expect(sealed(deps)).toHaveLength(1);
  });

  test("with its key and another body is refused", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await amend(deps, orderId, "Bangor");
    await expect(amend(deps, orderId, "Conwy")).rejects.toThrow(CommandReused);
    expect(await placeIn(deps, orderId)).toBe("Bangor");
  });

  test("twice under keys of their own keeps the later one", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await amend(deps, orderId, "Bangor");
    await amend(deps, orderId, "Conwy", { ...key, key: "another-key-of-the-customer" });
    expect(await placeIn(deps, orderId)).toBe("Conwy");
  });

  test.each<[string, string, (deps: TestDependencies) => Promise<string>]>([
    ["it was paid for", "not-paid", pricedOrder],
    ["an attempt is over", "attempt-open", (deps) => paidUntil(deps, startAttempt)],
    ["the GRO asks a question", "already-submitted", (deps) => paidUntil(deps, submit)],
    ["the old one is destroyed", "purge-pending", (deps) => paidUntil(deps, submit, question)],
  ])("before %s is refused, and seals nothing", async (_, rule, prepare) => {
    const deps = testDependencies();
    const orderId = await prepare(deps);
    const before = await typesOf(deps, orderId);
    await expect(amend(deps, orderId, "Bangor")).rejects.toMatchObject({ code: "forbidden-in-phase", rule });
    expect(await typesOf(deps, orderId)).toEqual(before);
    expect(sealed(deps)).toEqual([]);
  });

  test("while an attempt starts is refused by the order itself, and the attempt's record stays", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await amend(deps, orderId, "Bangor");
    // The job is faster, between the first look and the append.
    beforeSealing(deps, ({ kind }) => kind === "application" && startAttempt(deps, orderId));
    const late = amend(deps, orderId, "Conwy", { ...key, key: "another-key-of-the-customer" });
    await expect(late).rejects.toMatchObject({ rule: "attempt-open" });
    expect(await placeIn(deps, orderId)).toBe("Bangor");
  });

  test("after a crash before appending names a record that holds what was sent last", async () => {
    let broken = false;
    const deps = testDependencies(failingAppends(() => broken));
    const orderId = await paidOrder(deps);
    broken = true;
    await expect(amend(deps, orderId, "Bangor")).rejects.toThrow(Crash);
    broken = false;
    await amend(deps, orderId, "Conwy");
    expect(await placeIn(deps, orderId)).toBe("Conwy");
  });
});

describe("An index reference", () => {
  const fees = { groFeePence: 1250, groSearchFeePence: 0, ourFeePence: 3250 };
  const price = { unitPricePence: 4500, totalPence: 4500 };

  test("that is added before anything was sent saves the search fee, once for as many requests", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const { order, position } = await refer(deps, orderId);
    expect(order.variant).toMatchObject({ groReferenceKnown: true, feePerCopy: fees, ...price });
    expect((await refer(deps, orderId)).position).toBe(position);
    // Without it again.
    const other = { ...key, key: "another-key-of-the-customer" };
    expect((await amend(deps, orderId, "Bangor", other)).order.variant).toMatchObject({
      ...{ groReferenceKnown: false, ...price },
      feePerCopy: { ...fees, groSearchFeePence: 350, ourFeePence: 2900 },
    });
    expect(JSON.stringify(await deps.events(orderId))).not.toContain("8a 142");
  });

  test("that is added in answer to the GRO saves the search fee of what is sent then", async () => {
    const deps = testDependencies();
    const orderId = await paidUntil(deps, submit, question, purge);
    const { order } = await refer(deps, orderId);
    expect(order.variant).toMatchObject({ groReferenceKnown: true, feePerCopy: fees, ...price });
  });
});

describe("Answering the GRO's question", () => {
  test("makes the order ready to be sent once more, with what was entered", async () => {
    const deps = testDependencies();
    const orderId = await paidUntil(deps, submit, question, purge);
    const { order } = await amend(deps, orderId, "Bangor");
    expect(order.phase).toBe("Confirmed");
    expect(order.outcome).toBeNull();
    expect(await placeIn(deps, orderId)).toBe("Bangor");
    expect((await typesOf(deps, orderId)).at(-1)).toBe("ApplicationReplaced");
  });

  test("again with its key is the same answer, and with a new one no amendment: the GRO had it once", async () => {
    const deps = testDependencies();
    const orderId = await paidUntil(deps, submit, question, purge);
    const first = await amend(deps, orderId, "Bangor");
    expect((await amend(deps, orderId, "Bangor")).position).toBe(first.position);
    const other = { ...key, key: "another-key-of-the-customer" };
    await expect(amend(deps, orderId, "Conwy", other)).rejects.toMatchObject({ rule: "already-submitted" });
  });

  test("is refused once the order was cancelled", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await execute(deps, orderId, {
      type: "CancelOrder",
      data: { reason: "customerRequest", closedIntentId: null },
    });
    await expect(amend(deps, orderId, "Bangor")).rejects.toMatchObject({ rule: "already-cancelled" });
  });
});

async function paidUntil(
  deps: TestDependencies,
  ...steps: readonly ((deps: TestDependencies, orderId: string) => Promise<unknown>)[]
): Promise<string> {
  const orderId = await paidOrder(deps);
  for (const step of steps) await step(deps, orderId);
  return orderId;
}
