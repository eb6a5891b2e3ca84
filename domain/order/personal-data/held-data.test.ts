import { describe, expect, it } from "vitest";
import { historyTo, orderAfter, start, type TimedEvent } from "../../../testing/domain/order-fixture.ts";
import { addDays, addSeconds } from "../../instant.ts";
import type { OrderEvent } from "../events.ts";
import { type Held, heldAfterErasure, heldOf } from "./held-data.ts";

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const at = (seconds: number) => addSeconds(start, seconds);
const now = at(200_000);

const mailsSent = (history: readonly TimedEvent[]): TimedEvent[] => {
  const { owed } = orderAfter(history).mails;
  const sent = owed.map(({ template, about }): TimedEvent => {
    const data = { template, templateVersion: 1, about };
    return [{ type: template === "confirmation" ? "ConfirmationSent" : "MailSent", data }, 150_000];
  });
  return [...history, ...sent];
};
const refunded: readonly TimedEvent[] = mailsSent([
  ...historyTo.Cancelled,
  [
    {
      type: "RefundRequested",
      data: {
        refundId: "order-0a8f1c52-6d1c-5b4e-9a55-2f6f3f1f0001-refund-1",
        ...pence(),
        reason: "cancelled",
        proposal: null,
      },
    },
    80,
  ],
  [
    {
      type: "RefundIssued",
      data: {
        refundId: "order-0a8f1c52-6d1c-5b4e-9a55-2f6f3f1f0001-refund-1",
        providerRefundId: "re_1",
        ...pence(),
      },
    },
    90,
  ],
]);
function pence() {
  return { intentId: "pi_1", amountPence: 9000 };
}
const disputed: OrderEvent = {
  type: "DisputeOpened",
  data: { disputeId: "du_1", intentId: "pi_1", amountPence: 9000, reason: "general" },
};
const contactPurged: OrderEvent = {
  type: "ContactDataPurged",
  data: {
    startedBy: null,
    destroyed: ["contact"],
    rule: "retention",
    keyFingerprint: "ab".repeat(32),
    probe: "unreadable",
    records: 1,
  },
};

const needed = (what: string) => ({ state: "needed", for: what });

describe("what is held of an order", () => {
  it.each<[string, readonly TimedEvent[], application: object, contact: object]>([
    [
      "not paid yet: a day, as unpaid orders are kept",
      historyTo.AwaitingPayment,
      { state: "due", until: at(86_400), rule: "neverPaid" },
      { state: "due", until: at(86_400), rule: "neverPaid" },
    ],
    ["paid: for as long as the order needs it", historyTo.Paid, needed("order"), needed("order")],
    [
      "sent to the GRO: its application for seconds",
      historyTo.Submitted,
      { state: "due", until: at(65), rule: "submitted" },
      needed("order"),
    ],
    [
      "fulfilled: its contact for a year from the twentieth working day, its application no longer",
      historyTo.Fulfilled,
      { state: "destroyed", at: at(65), rule: "submitted" },
      { state: "due", until: "2027-12-22T00:00:00.000Z", rule: "retention" },
    ],
    [
      "cancelled: until the money is back",
      historyTo.Cancelled,
      { state: "due", until: at(70), rule: "cancelled" },
      needed("refund"),
    ],
    [
      "refunded: its contact for a year",
      refunded,
      { state: "due", until: at(70), rule: "cancelled" },
      { state: "due", until: addDays(at(70), 365), rule: "retention" },
    ],
    [
      "disputed: until the bank has decided",
      [...historyTo.Fulfilled, [disputed, 100_100]],
      { state: "destroyed", at: at(65), rule: "submitted" },
      needed("dispute"),
    ],
    [
      "forgotten: nothing",
      [...historyTo.Fulfilled, [contactPurged, 100_200]],
      { state: "destroyed", at: at(65), rule: "submitted" },
      { state: "destroyed", at: at(100_200), rule: "retention" },
    ],
  ])("%s", (_, history, application, contact) => {
    const order = orderAfter(history);
    expect(heldOf(order, "application", settings)).toEqual(application);
    expect(heldOf(order, "contact", settings)).toEqual(contact);
  });

  it("is nothing of an application that was not given yet", () => {
    const created = orderAfter(historyTo.Opened.slice(0, 1));
    expect(
      heldOf({ ...created, vault: { ...created.vault, signature: null } }, "application", settings),
    ).toEqual({
      state: "none",
    });
  });
});

describe("what would be held after a request for erasure", () => {
  const contactAfter = (history: readonly TimedEvent[]): Held =>
    heldAfterErasure(orderAfter(history), "contact", now, settings);

  it("is nothing from that moment on, where the order is over and every mail sent", () => {
    expect(contactAfter(mailsSent(historyTo.Fulfilled))).toEqual({
      state: "due",
      until: now,
      rule: "erasure",
    });
    expect(contactAfter(refunded)).toEqual({ state: "due", until: now, rule: "erasure" });
  });

  it("is what a mail needs that is still to be sent", () => {
    expect(contactAfter(historyTo.Fulfilled)).toEqual(needed("mail"));
  });

  it.each<[string, readonly TimedEvent[], string]>([
    ["an order that is under way", historyTo.Submitted, "order"],
    ["a refund", historyTo.Cancelled, "refund"],
    ["a dispute", [...mailsSent(historyTo.Fulfilled), [disputed, 160_000]], "dispute"],
  ])("is what %s needs", (_, history, what) => {
    expect(contactAfter(history)).toEqual(needed(what));
  });

  it("is due since the request, once it was made", () => {
    const asked: readonly TimedEvent[] = [
      ...mailsSent(historyTo.Fulfilled),
      [{ type: "ErasureRequested", data: {} }, 160_000],
    ];
    expect(heldOf(orderAfter(asked), "contact", settings)).toEqual({
      state: "due",
      until: at(160_000),
      rule: "erasure",
    });
    expect(contactAfter(asked)).toMatchObject({ until: at(160_000) });
  });
});
