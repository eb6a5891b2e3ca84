import { describe, expect, test } from "vitest";
import { applicationRecord } from "../../domain/forms/sealed-records.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import {
  paidOrder,
  purge,
  question,
  startAttempt,
  submit,
  tell,
} from "../../testing/services/paid-order-fixture.ts";
import {
  Crash,
  customer,
  failingAppends,
  pricedOrder,
  type TestDesk,
  testDesk,
} from "../../testing/services/use-case-fixture.ts";
import { amendApplication } from "./amend-application.ts";

const application = (placeOfBirth: string) => ({
  certificateType: "Birth",
  certificateDetails: { PlaceOfBirth: placeOfBirth },
  eventDetails: {},
  gro: "",
});
const key = { scope: "application of the order", key: "0f1e2d3c-0000-4000-8000-000000000001" };

const amend = (desk: TestDesk, orderId: string, place: string, by = key) =>
  amendApplication(desk, orderId, application(place), by, customer);
const typesOf = async (desk: TestDesk, orderId: string) =>
  (await desk.events(orderId)).map(({ type }) => type);
const sealed = (desk: TestDesk) =>
  [...desk.vault.records.values()].filter(({ kind }) => kind === "application");

async function placeIn(desk: TestDesk, orderId: string): Promise<unknown> {
  const { order } = await desk.orders.load(orderId);
  const record = await desk.vault.open(order.vault.application ?? "", applicationRecord);
  return record.certificateDetails.PlaceOfBirth;
}

describe("Amending an application", () => {
  test("before anything was sent puts a record that can be opened in the place of the old one", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const old = (await desk.orders.load(orderId)).order.vault.application;
    const { order } = await amend(desk, orderId, "Bangor");
    expect(await placeIn(desk, orderId)).toBe("Bangor");
    expect(order.phase).toBe("Paid");
    // What stands here is what a policy destroys.
    expect(order.vault.superseded).toMatchObject([{ ref: old, dataClass: "application" }]);
    expect(JSON.stringify(await desk.events(orderId))).not.toContain("Bangor");
  });

  test("again with its key gives the first result, also once the GRO has it", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const first = await amend(desk, orderId, "Bangor");
    await submit(desk, orderId);
    const before = await typesOf(desk, orderId);
    const again = await amend(desk, orderId, "Bangor");
    expect(again.position).toBe(first.position);
    expect(await typesOf(desk, orderId)).toEqual(before);
    expect(sealed(desk)).toHaveLength(1);
  });

  test("with its key and another body is refused", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await amend(desk, orderId, "Bangor");
    await expect(amend(desk, orderId, "Conwy")).rejects.toThrow(CommandReused);
    expect(await placeIn(desk, orderId)).toBe("Bangor");
  });

  test("twice under keys of their own keeps the later one", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await amend(desk, orderId, "Bangor");
    await amend(desk, orderId, "Conwy", { ...key, key: "another-key-of-the-customer" });
    expect(await placeIn(desk, orderId)).toBe("Conwy");
  });

  test.each<[string, string, (desk: TestDesk) => Promise<string>]>([
    ["it was paid for", "not-paid", pricedOrder],
    ["an attempt is over", "attempt-open", (desk) => paidUntil(desk, startAttempt)],
    ["the GRO asks a question", "already-submitted", (desk) => paidUntil(desk, submit)],
    ["the old one is destroyed", "purge-pending", (desk) => paidUntil(desk, submit, question)],
  ])("before %s is refused, and seals nothing", async (_, rule, prepare) => {
    const desk = testDesk();
    const orderId = await prepare(desk);
    const before = await typesOf(desk, orderId);
    await expect(amend(desk, orderId, "Bangor")).rejects.toMatchObject({ code: "forbidden-in-phase", rule });
    expect(await typesOf(desk, orderId)).toEqual(before);
    expect(sealed(desk)).toEqual([]);
  });

  test("while an attempt starts is refused by the order itself, and the attempt's record stays", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await amend(desk, orderId, "Bangor");
    const { seal } = desk.vault;
    // The job is faster, between the first look and the append.
    desk.vault.seal = async (record) => {
      if (record.kind === "application") await startAttempt(desk, orderId);
      return seal(record);
    };
    const late = amend(desk, orderId, "Conwy", { ...key, key: "another-key-of-the-customer" });
    await expect(late).rejects.toMatchObject({ rule: "attempt-open" });
    expect(await placeIn(desk, orderId)).toBe("Bangor");
  });

  test("after a crash before appending names a record that holds what was sent last", async () => {
    let broken = false;
    const desk = testDesk(failingAppends(() => broken));
    const orderId = await paidOrder(desk);
    broken = true;
    await expect(amend(desk, orderId, "Bangor")).rejects.toThrow(Crash);
    broken = false;
    await amend(desk, orderId, "Conwy");
    expect(await placeIn(desk, orderId)).toBe("Conwy");
  });
});

describe("Answering the GRO's question", () => {
  test("makes the order ready to be sent once more, with what was entered", async () => {
    const desk = testDesk();
    const orderId = await paidUntil(desk, submit, question, purge);
    const { order } = await amend(desk, orderId, "Bangor");
    expect(order.phase).toBe("Confirmed");
    expect(order.outcome).toBeNull();
    expect(await placeIn(desk, orderId)).toBe("Bangor");
    expect((await typesOf(desk, orderId)).at(-1)).toBe("ApplicationReplaced");
  });

  test("again with its key is the same answer, and with a new one no amendment: the GRO had it once", async () => {
    const desk = testDesk();
    const orderId = await paidUntil(desk, submit, question, purge);
    const first = await amend(desk, orderId, "Bangor");
    expect((await amend(desk, orderId, "Bangor")).position).toBe(first.position);
    const other = { ...key, key: "another-key-of-the-customer" };
    await expect(amend(desk, orderId, "Conwy", other)).rejects.toMatchObject({ rule: "already-submitted" });
  });

  test("is refused once the order was cancelled", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await tell(desk, orderId, {
      type: "CancelOrder",
      data: { reason: "customerRequest", closedIntentId: null },
    });
    await expect(amend(desk, orderId, "Bangor")).rejects.toMatchObject({ rule: "already-cancelled" });
  });
});

async function paidUntil(
  desk: TestDesk,
  ...steps: readonly ((desk: TestDesk, orderId: string) => Promise<unknown>)[]
): Promise<string> {
  const orderId = await paidOrder(desk);
  for (const step of steps) await step(desk, orderId);
  return orderId;
}
