import { describe, expect, test } from "vitest";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { type EventStore, StoreBusy } from "../../infra/event-store/event-store.ts";
import { withAppend } from "../../testing/event-store/handler-fixture.ts";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { paidOrder, startAttempt } from "../../testing/services/paid-order-fixture.ts";
import { purgeTicketNow, ticketRequest, writer } from "../../testing/services/ticket-fixture.ts";
import {
  Crash,
  customer,
  failingAppends,
  orderRequest,
  pricedOrder,
  type TestDesk,
  testDesk,
} from "../../testing/services/use-case-fixture.ts";
import { openTicket } from "../tickets/open-ticket.ts";
import { replyToTicket } from "../tickets/write-in-ticket.ts";
import { VaultBusy } from "../vault/vault.ts";
import { addVariant } from "./add-variant.ts";
import { amendApplication } from "./amend-application.ts";
import { cancelOrder } from "./cancel-order.ts";
import { createOrder } from "./create-order.ts";
import { addNote } from "./staff/add-note.ts";

const key = { scope: "a test", key: "0f1e2d3c-0000-4000-8000-000000000007" };
const request = variantRequest("2026-11-21").parse(variantBody());
const application = { certificateType: "Birth", certificateDetails: {}, eventDetails: {}, gro: "" };
const act = { by: { userId: "ann" }, reason: "customerAsked", correlationId: "a-click" } as const;

const choose = (desk: TestDesk, orderId: string) =>
  addVariant(desk, orderId, request, { ...key, scope: "variant" }, customer);
const open = (desk: TestDesk) => openTicket(desk, ticketRequest(), null, key, "a-request");

/** Ids of what is sealed, without the keys that repeats are compared by. */
const sealedIn = ({ vault }: TestDesk): string[] =>
  [...vault.records.values()].filter(({ kind }) => kind !== "fingerprintKey").map(({ recordId }) => recordId);

/** Something else happens between the decision and the append: once, while the first record is sealed. */
function meanwhile(desk: TestDesk, happens: () => Promise<unknown>): void {
  const { seal } = desk.vault;
  let happened = false;
  desk.vault.seal = async (record) => {
    if (!happened && record.kind !== "fingerprintKey") {
      happened = true;
      await happens();
    }
    return seal(record);
  };
}

describe("What was sealed for a request that others overtook is destroyed at once", () => {
  test("a variant, when the order is cancelled", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    const before = sealedIn(desk);
    meanwhile(desk, () => cancelOrder(desk, orderId, "customerRequest", customer));
    await expect(choose(desk, orderId)).rejects.toMatchObject({ rule: "already-cancelled" });
    expect(sealedIn(desk)).toEqual(before);
  });

  test("an amendment, when an attempt starts", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const before = sealedIn(desk);
    meanwhile(desk, () => startAttempt(desk, orderId));
    const amended = amendApplication(desk, orderId, application, key, customer);
    await expect(amended).rejects.toMatchObject({ rule: "attempt-open" });
    expect(sealedIn(desk)).toEqual(before);
  });

  test("a note, when a colleague was faster", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const before = sealedIn(desk);
    const { revision } = await desk.orders.load(orderId);
    meanwhile(desk, () => startAttempt(desk, orderId));
    const note = addNote(desk, orderId, "Rang.", { ...act, expectedRevision: revision });
    await expect(note).rejects.toMatchObject({ rule: "changed-meanwhile" });
    expect(sealedIn(desk)).toEqual(before);
  });

  test("a reply, when the ticket is purged", async () => {
    const desk = testDesk();
    const { ticketId } = (await open(desk)).ticket;
    meanwhile(desk, () => purgeTicketNow(desk, ticketId));
    const reply = replyToTicket(desk, { ticketId, text: "Hello?", key: undefined, by: writer });
    await expect(reply).rejects.toMatchObject({ rule: "ticket-purged" });
    expect(sealedIn(desk)).toEqual([]);
  });

  test("twenty times at once with one key: what the one event names stays", async () => {
    const desk = testDesk();
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => createOrder(desk, orderRequest(), key, "a-request")),
    );
    const orderId = orders[0]?.order.orderId ?? "";
    await Promise.all(Array.from({ length: 20 }, () => choose(desk, orderId)));
    const { order } = await desk.orders.load(orderId);
    const { contact, signature, application: applicationRef } = order.vault;
    expect(sealedIn(desk).sort()).toEqual([contact, signature, applicationRef].sort());

    const tickets = await Promise.all(Array.from({ length: 20 }, () => open(desk)));
    const ticket = tickets[0]?.ticket;
    const named = [contact, signature, applicationRef, ticket?.contactRef, ticket?.messages[0]?.ref];
    expect(sealedIn(desk).sort()).toEqual(named.sort());
  });
});

describe("What was sealed for a request that failed", () => {
  const busy = (isBusy: () => boolean) => (store: EventStore) =>
    withAppend(store, (append) =>
      isBusy() ? Promise.reject(new StoreBusy("Too much waits.")) : store.append(append),
    );

  test("is destroyed where the store certainly wrote nothing, and sealed anew by the next try", async () => {
    let isBusy = true;
    const desk = testDesk(busy(() => isBusy));
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(StoreBusy);
    expect(sealedIn(desk)).toEqual([]);
    isBusy = false;
    const { order } = await createOrder(desk, orderRequest(), key, "a-request");
    expect(sealedIn(desk).sort()).toEqual([order.vault.contact, order.vault.signature].sort());
  });

  test("stays for the sweep where an event may name it", async () => {
    const desk = testDesk(failingAppends(() => true));
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    expect(sealedIn(desk)).toHaveLength(2);
  });

  test("is destroyed where a second record could not be sealed", async () => {
    const desk = testDesk();
    const { seal } = desk.vault;
    desk.vault.seal = (record) =>
      record.kind === "signature" ? Promise.reject(new VaultBusy("Too much waits.")) : seal(record);
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(VaultBusy);
    expect(sealedIn(desk)).toEqual([]);
  });

  test("is left to the sweep where it cannot be destroyed, and the refusal is still the refusal", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    desk.vault.destroy = () => Promise.reject(new Error("The mirror is away."));
    meanwhile(desk, () => cancelOrder(desk, orderId, "customerRequest", customer));
    await expect(choose(desk, orderId)).rejects.toMatchObject({ rule: "already-cancelled" });
  });
});

test("A repeat seals nothing, whatever was destroyed since", async () => {
  const desk = testDesk();
  const orderId = await pricedOrder(desk);
  const first = await choose(desk, orderId);
  let sealed = 0;
  const { seal } = desk.vault;
  desk.vault.seal = (record) => {
    sealed += 1;
    return seal(record);
  };
  expect((await choose(desk, orderId)).position).toBe(first.position);
  await desk.vault.destroy([...desk.vault.records.keys()]);
  expect((await choose(desk, orderId)).position).toBe(first.position);
  expect(sealed).toBe(0);
});
