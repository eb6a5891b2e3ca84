import { describe, expect, test } from "vitest";
import type { Order } from "../../../domain/order/state.ts";
import { CommandReused } from "../../../infra/commands/repeats.ts";
import { paidOrder, recordPurge } from "../../../testing/services/paid-order-fixture.ts";
import {
  Crash,
  customer,
  failingAppends,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import { cancelOrder } from "../cancel-order.ts";
import type { StaffAct } from "../command-ids.ts";
import { PersonalDataDestroyed, revealApplication, revealContact } from "./reveal-personal-data.ts";
import { addNote } from "./staff-actions.ts";

const act = (change: Partial<StaffAct> = {}): StaffAct => ({
  by: { userId: "ann" },
  reason: "customerAsked",
  correlationId: "a-click",
  ...change,
});

const typesOf = async (deps: TestDependencies, orderId: string) =>
  (await deps.events(orderId)).map(({ type }) => type);

/** An order whose application lies in the vault as a customer's would. */
async function orderWithApplication(deps: TestDependencies): Promise<string> {
  const orderId = await paidOrder(deps);
  const { order } = await deps.orders.load(orderId);
  await deps.vault.seal({
    recordId: order.vault.application ?? "",
    subject: orderId,
    dataClass: "application",
    kind: "application",
    schemaVersion: 1,
    body: { certificateType: "Birth", certificateDetails: { surname: "Rhys" }, eventDetails: {}, gro: "" },
    dueAt: "2026-12-01T00:00:00.000Z",
  });
  return orderId;
}

/** Its contact data goes, in the vault and in the log. */
async function forget(deps: TestDependencies): Promise<Order> {
  const orderId = await pricedOrder(deps);
  await cancelOrder(deps, orderId, "customerRequest", customer);
  const records = await deps.vault.recordsOf(orderId);
  await deps.vault.destroy(records.map(({ recordId }) => recordId));
  return (await recordPurge(deps, orderId, "contact", customer)).order;
}

describe("A note", () => {
  test("is sealed with the contact data, and the log holds who wrote it, why, and nothing of it", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const { order } = await addNote(deps, orderId, "Rang twice about Llanbadarn.", act());
    const [noteRef = ""] = order.vault.notes;
    expect(deps.vault.records.get(noteRef)).toMatchObject({
      subject: orderId,
      dataClass: "contact",
      kind: "orderNote",
      body: { text: "Rang twice about Llanbadarn." },
    });
    const event = (await deps.events(orderId)).at(-1);
    expect(event).toMatchObject({ type: "NoteAdded", data: { noteRef } });
    expect(event?.metadata).toMatchObject({ actor: { kind: "staff", id: "ann" }, reason: "customerAsked" });
    expect(JSON.stringify(await deps.events(orderId))).not.toContain("Llanbadarn");
  });

  test("that is sent twice under one key is one note, and another text under it is refused", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const once = act({ idempotencyKey: "k1" });
    await addNote(deps, orderId, "One.", once);
    const { order } = await addNote(deps, orderId, "One.", once);
    expect(order.vault.notes).toHaveLength(1);
    await expect(addNote(deps, orderId, "Two.", once)).rejects.toThrow(CommandReused);
    const colleague = { ...once, by: { userId: "bob" } };
    expect((await addNote(deps, orderId, "Two.", colleague)).order.vault.notes).toHaveLength(2);
  });

  test("after a crash between sealing and appending is readable all the same", async () => {
    let broken = false;
    const deps = testDependencies(failingAppends(() => broken));
    const orderId = await paidOrder(deps);
    broken = true;
    await expect(addNote(deps, orderId, "One.", act({ idempotencyKey: "k1" }))).rejects.toThrow(Crash);
    broken = false;
    await addNote(deps, orderId, "One.", act({ idempotencyKey: "k1" }));
    expect((await revealContact(deps, orderId, "customerAsked", act())).data.notes).toEqual([
      { noteRef: expect.any(String), text: "One." },
    ]);
  });

  test("is refused, unsealed, once the contact data is destroyed", async () => {
    const deps = testDependencies();
    const { orderId } = await forget(deps);
    const sealed = deps.vault.records.size;
    await expect(addNote(deps, orderId, "Too late.", act())).rejects.toMatchObject({
      rule: "contact-purged",
    });
    expect(deps.vault.records.size).toBe(sealed);
  });
});

describe("Looking at personal data", () => {
  test("is in the log before anything is opened, with who, what and why", async () => {
    const deps = testDependencies();
    const orderId = await orderWithApplication(deps);
    const seen: string[] = [];
    const watching: TestDependencies = {
      ...deps,
      vault: {
        ...deps.vault,
        open: async (recordId, schema) => {
          seen.push(...(await typesOf(deps, orderId)).slice(-1));
          return deps.vault.open(recordId, schema);
        },
      },
    };
    const { data } = await revealApplication(watching, orderId, "groQuery", act());
    expect(data).toMatchObject({
      application: { certificateDetails: { surname: "Rhys" } },
      signature: "Siân Rhys",
    });
    expect(new Set(seen)).toEqual(new Set(["PersonalDataRevealed"]));
    const event = (await deps.events(orderId)).at(-1);
    expect(event?.data).toEqual({ dataClass: "application", reason: "groQuery" });
    expect(event?.metadata).toMatchObject({ actor: { kind: "staff", id: "ann" } });
  });

  test("opens nothing when the log cannot be written", async () => {
    let broken = false;
    const deps = testDependencies(failingAppends(() => broken));
    const orderId = await paidOrder(deps);
    let opened = 0;
    const watching: TestDependencies = {
      ...deps,
      vault: {
        ...deps.vault,
        open: (recordId, schema) => {
          opened += 1;
          return deps.vault.open(recordId, schema);
        },
      },
    };
    broken = true;
    await expect(revealContact(watching, orderId, "ticket", act())).rejects.toThrow(Crash);
    expect(opened).toBe(0);
    broken = false;
    await revealContact(watching, orderId, "ticket", act());
    expect(opened).toBeGreaterThan(0);
  });

  test("again is another look", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    for (let n = 0; n < 2; n++) await revealContact(deps, orderId, "complaint", act());
    const looks = (await typesOf(deps, orderId)).filter((type) => type === "PersonalDataRevealed");
    expect(looks).toHaveLength(2);
  });

  test("that is destroyed says so, and is no look", async () => {
    const deps = testDependencies();
    const { orderId } = await forget(deps);
    await expect(revealContact(deps, orderId, "ticket", act())).rejects.toThrow(PersonalDataDestroyed);
    expect(await typesOf(deps, orderId)).not.toContain("PersonalDataRevealed");
  });

  test("that the vault has destroyed a moment before the log says so is gone as well", async () => {
    const deps = testDependencies();
    const orderId = await orderWithApplication(deps);
    const { order } = await deps.orders.load(orderId);
    await deps.vault.destroy([order.vault.application ?? ""]);
    await expect(revealApplication(deps, orderId, "amendment", act())).rejects.toThrow(PersonalDataDestroyed);
  });
});
