import { describe, expect, test } from "vitest";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { type EventStore, StoreBusy } from "../../infra/event-store/event-store.ts";
import { withAppend } from "../../testing/event-store/handler-fixture.ts";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { paidOrder, startAttempt } from "../../testing/services/paid-order-fixture.ts";
import { purgeTicketNow, ticketRequest, writer } from "../../testing/services/ticket-fixture.ts";
import {
  beforeSealing,
  Crash,
  customer,
  failingAppends,
  orderRequest,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { openTicket, replyToTicket } from "../tickets/write-in-ticket.ts";
import { VaultBusy } from "../vault/vault.ts";
import { addVariant } from "./add-variant.ts";
import { amendApplication } from "./amend-application.ts";
import { cancelOrder } from "./cancel-order.ts";
import { correctContact } from "./correct-contact.ts";
import { createOrder } from "./create-order.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { addNote } from "./staff/staff-actions.ts";

const key = { scope: "a test", key: "0f1e2d3c-0000-4000-8000-000000000007" };
const request = variantRequest("2026-11-21").parse(variantBody());
const application = { certificateType: "Birth", certificateDetails: {}, eventDetails: {}, gro: "" };
const act = { by: { userId: "ann" }, reason: "customerAsked", correlationId: "a-click" } as const;

const choose = (deps: TestDependencies, orderId: string) =>
  addVariant(deps, orderId, request, { ...key, scope: "variant" }, customer);
const open = (deps: TestDependencies) => openTicket(deps, ticketRequest(), null, key, "a-request");

/** Ids of what is sealed, without the keys that repeats are compared by. */
const sealedIn = ({ vault }: TestDependencies): string[] =>
  [...vault.records.values()].filter(({ kind }) => kind !== "fingerprintKey").map(({ recordId }) => recordId);

/** Something else happens between the decision and the append, elsewhere: once, while the first record is sealed. */
function meanwhile(
  deps: TestDependencies,
  happens: (elsewhere: OrderDependencies) => Promise<unknown>,
): void {
  let happened = false;
  beforeSealing(deps, async ({ kind }) => {
    if (happened || kind === "fingerprintKey") return;
    happened = true;
    await happens(deps.elsewhere());
  });
}

describe.each([
  { way: "sealed before its append", storedByAppends: false },
  { way: "stored by its append", storedByAppends: true },
])("A record $way", ({ storedByAppends }) => {
  const withRecords = (wrap?: (store: EventStore) => EventStore) =>
    testDependencies(wrap, { storedByAppends });

  describe("What was sealed for a request that others overtook is destroyed at once", () => {
    test("a variant, when the order is cancelled", async () => {
      const deps = withRecords();
      const orderId = await pricedOrder(deps);
      const before = sealedIn(deps);
      meanwhile(deps, (elsewhere) => cancelOrder(elsewhere, orderId, "customerRequest", customer));
      await expect(choose(deps, orderId)).rejects.toMatchObject({ rule: "already-cancelled" });
      expect(sealedIn(deps)).toEqual(before);
    });

    test("an amendment, when an attempt starts", async () => {
      const deps = withRecords();
      const orderId = await paidOrder(deps);
      const before = sealedIn(deps);
      meanwhile(deps, (elsewhere) => startAttempt(elsewhere, orderId));
      const amendment = { application, groReferenceKnown: false };
      const amended = amendApplication(deps, orderId, amendment, key, customer);
      await expect(amended).rejects.toMatchObject({ rule: "attempt-open" });
      expect(sealedIn(deps)).toEqual(before);
    });

    test("a note, when a colleague was faster", async () => {
      const deps = withRecords();
      const orderId = await paidOrder(deps);
      const before = sealedIn(deps);
      const { revision } = await deps.orders.load(orderId);
      meanwhile(deps, (elsewhere) => startAttempt(elsewhere, orderId));
      const note = addNote(deps, orderId, "Rang.", { ...act, expectedRevision: revision });
      await expect(note).rejects.toMatchObject({ rule: "changed-meanwhile" });
      expect(sealedIn(deps)).toEqual(before);
    });

    test("a reply, when the ticket is purged", async () => {
      const deps = withRecords();
      const { ticketId } = (await open(deps)).ticket;
      meanwhile(deps, (elsewhere) => purgeTicketNow(elsewhere, ticketId));
      const reply = replyToTicket(deps, { ticketId, text: "Hello?", key: undefined, by: writer });
      await expect(reply).rejects.toMatchObject({ rule: "ticket-purged" });
      expect(sealedIn(deps)).toEqual([]);
    });

    test("twenty times at once with one key: what the one event names stays", async () => {
      const deps = withRecords();
      const orders = await Promise.all(
        Array.from({ length: 20 }, () => createOrder(deps, orderRequest(), key, "a-request")),
      );
      const orderId = orders[0]?.order.orderId ?? "";
      await Promise.all(Array.from({ length: 20 }, () => choose(deps, orderId)));
      const { order } = await deps.orders.load(orderId);
      const { contact, signature, application: applicationRef } = order.vault;
      expect(sealedIn(deps).sort()).toEqual([contact, signature, applicationRef].sort());

      const tickets = await Promise.all(Array.from({ length: 20 }, () => open(deps)));
      const ticket = tickets[0]?.ticket;
      const named = [contact, signature, applicationRef, ticket?.contactRef, ticket?.messages[0]?.ref];
      expect(sealedIn(deps).sort()).toEqual(named.sort());
    });
  });

  describe("What was sealed for a request that failed", () => {
    const busy = (isBusy: () => boolean) => (store: EventStore) =>
      withAppend(store, (append) =>
        isBusy() ? Promise.reject(new StoreBusy("Too much waits.")) : store.append(append),
      );

    test("is destroyed where the store certainly wrote nothing, and sealed anew by the next try", async () => {
      let isBusy = true;
      const deps = withRecords(busy(() => isBusy));
      await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(StoreBusy);
      expect(sealedIn(deps)).toEqual([]);
      isBusy = false;
      const { order } = await createOrder(deps, orderRequest(), key, "a-request");
      expect(sealedIn(deps).sort()).toEqual([order.vault.contact, order.vault.signature].sort());
    });

    test("stays for the sweep where an event may name it", async () => {
      const deps = withRecords(failingAppends(() => true));
      await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
      // The append was to store them.
      expect(sealedIn(deps)).toHaveLength(storedByAppends ? 0 : 2);
    });

    test("is destroyed where a second record could not be sealed", async () => {
      const deps = withRecords();
      beforeSealing(deps, ({ kind }) => {
        if (kind === "signature") throw new VaultBusy("Too much waits.");
      });
      await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(VaultBusy);
      expect(sealedIn(deps)).toEqual([]);
    });

    test("is left to the sweep where it cannot be destroyed, and the refusal is still the refusal", async () => {
      const deps = withRecords();
      const orderId = await pricedOrder(deps);
      deps.vault.destroy = () => Promise.reject(new Error("The mirror is away."));
      meanwhile(deps, (elsewhere) => cancelOrder(elsewhere, orderId, "customerRequest", customer));
      await expect(choose(deps, orderId)).rejects.toMatchObject({ rule: "already-cancelled" });
    });
  });

  test("A correction that another overtook keeps what the other changed", async () => {
    const deps = withRecords();
    const orderId = await pricedOrder(deps);
    const companyName = "Rhys Cyf";
    meanwhile(deps, (elsewhere) => correctContact(elsewhere, orderId, { companyName }, undefined, customer));
    const email = "sian@post.example";
    const { order } = await correctContact(deps, orderId, { email }, key, customer);
    const contact = await deps.vault.open(order.vault.contact ?? "", contactRecord);
    expect(contact).toMatchObject({ email, companyName });
    const { superseded, signature, application } = order.vault;
    const named = [order.vault.contact, signature, application, ...superseded.map(({ ref }) => ref)];
    expect(named).toEqual(expect.arrayContaining(sealedIn(deps)));
  });

  test("A repeat seals nothing, whatever was destroyed since", async () => {
    const deps = withRecords();
    const orderId = await pricedOrder(deps);
    const first = await choose(deps, orderId);
    let sealed = 0;
    beforeSealing(deps, () => {
      sealed += 1;
    });
    expect((await choose(deps, orderId)).position).toBe(first.position);
    await deps.vault.destroy([...deps.vault.records.keys()]);
    expect((await choose(deps, orderId)).position).toBe(first.position);
    expect(sealed).toBe(0);
  });
});
