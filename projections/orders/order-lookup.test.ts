import { describe, expect, it } from "vitest";
import { addSeconds } from "../../domain/instant.ts";
import type { Phase } from "../../domain/order/phases.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import {
  historyTo,
  orderId,
  purged,
  start,
  type TimedEvent,
  uuid,
} from "../../testing/domain/order-fixture.ts";
import { rowAfter, storedFrom } from "../../testing/projections/stored-history-fixture.ts";
import { cellOf, noDay, noMoment } from "./order-list-columns.ts";
import { readAnswer } from "./order-lookup.ts";
import { ordersProjection } from "./orders.ts";

const { startedBy: _, ...receipt } = purged.data;

const lookupAfter = (history: readonly TimedEvent[]) =>
  readAnswer({
    key: orderId,
    order_number: "0000-0000-00000",
    answer: String(rowAfter(ordersProjection, history).answer),
    checkout_id: null,
  });

describe("the lookup", () => {
  it.each<[Phase, string, boolean]>([
    ["Opened", "Pending", true],
    ["Priced", "Pending", true],
    ["AwaitingPayment", "Pending", true],
    ["Paid", "Processing", true],
    ["Confirmed", "Processing", true],
    ["Submitting", "Processing", true],
    ["Submitted", "Processing", false],
    ["Dispatched", "Processing", false],
    ["Fulfilled", "Fulfilled", false],
    ["Cancelled", "Cancelled", false],
    ["Failed", "Failed", false],
  ])("in phase %s: status %s, cancellable %s", (phase, status, cancellable) => {
    expect(lookupAfter(historyTo[phase])).toMatchObject({ phase, status, cancellable });
  });

  it("says when the certificate left the GRO, and whether its arrival can be reported", () => {
    const leftGroAt = addSeconds(start, 100_000);
    const arrived: TimedEvent[] = [
      ...historyTo.Fulfilled,
      [{ type: "CertificateArrived", data: {} }, 200_000],
    ];
    const expected = (arrivedAt: string | null, arrivalReportable: boolean) => ({
      leftGroAt,
      arrivedAt,
      arrivalReportable,
    });
    expect(lookupAfter(historyTo.Submitted)).toMatchObject({ ...expected(null, false), leftGroAt: null });
    expect(lookupAfter(historyTo.Dispatched)).toMatchObject(expected(null, true));
    expect(lookupAfter(historyTo.Fulfilled)).toMatchObject(expected(null, true));
    expect(lookupAfter(arrived)).toMatchObject(expected(addSeconds(start, 200_000), false));
  });

  it.each<[Phase, boolean]>([
    ["Opened", false],
    ["Priced", false],
    ["AwaitingPayment", false],
    ["Paid", true],
    ["Confirmed", true],
    ["Submitting", false],
    ["Submitted", false],
    ["Dispatched", false],
    ["Fulfilled", false],
    ["Cancelled", false],
    ["Failed", false],
  ])("in phase %s: amendable %s, and no question", (phase, amendable) => {
    expect(lookupAfter(historyTo[phase])).toMatchObject({ phase, amendable, question: false });
  });

  it("names the record of a question's text, and says once that there is a question", () => {
    const asked = (questionRef: string | null, seconds: number): TimedEvent => [
      { type: "GROOutcomeRecorded", data: { attempt: 1, outcome: "queried", questionRef } },
      seconds,
    ];
    const history: TimedEvent[] = [...historyTo.Submitted, [purged, 65], asked(null, 70)];
    const texts = (found: ReturnType<typeof lookupAfter>) =>
      found.statusHistory.filter(({ text }) => text.includes("has a question"));
    expect(lookupAfter(history).questionRef).toBeNull();
    const withText = lookupAfter([...history, asked(uuid(210), 80)]);
    expect(withText.questionRef).toBe(uuid(210));
    expect(texts(withText)).toHaveLength(1);
  });

  it("shows a question of the GRO while it can be answered", () => {
    const asked: TimedEvent = [
      { type: "GROOutcomeRecorded", data: { attempt: 1, outcome: "queried", questionRef: null } },
      70,
    ];
    const promise = { receivedOn: "2026-12-01", despatchBy: "2026-12-22" };
    const data = { applicationRef: uuid(200), promise, fees: null };
    const answer: TimedEvent = [{ type: "ApplicationReplaced", data }, 80];
    const unpurged = [...historyTo.Submitted, asked];
    const purgedFirst: TimedEvent[] = [...historyTo.Submitted, [purged, 65], asked];
    expect(lookupAfter(unpurged)).toMatchObject({ question: false });
    expect(lookupAfter(purgedFirst)).toMatchObject({ question: true, amendable: false });
    expect(lookupAfter([...purgedFirst, answer])).toMatchObject({
      ...{ question: false, amendable: false },
      promise,
    });
  });

  it("shows a requested cancellation until the outcome of the open attempt is known", () => {
    const request: TimedEvent = [
      { type: "CancellationRequested", data: { reason: "customerRequest", by: "customer" } },
      50,
    ];
    const asked = [...historyTo.Submitting, request];
    const cancelled: TimedEvent = [
      { type: "OrderCancelled", data: { reason: "customerRequest", by: "customer" } },
      60,
    ];
    expect(lookupAfter(historyTo.Submitting)).toMatchObject({ cancellationRequested: false });
    expect(lookupAfter(asked)).toMatchObject({ cancellationRequested: true, cancellable: false });
    expect(lookupAfter([...asked, cancelled])).toMatchObject({ cancellationRequested: false });
  });

  it("shows which form the application uses", () => {
    expect(lookupAfter(historyTo.Opened)).toMatchObject({ certificateType: null });
    expect(lookupAfter(historyTo.Priced)).toMatchObject({ certificateType: "Birth" });
  });

  it("shows the quoted total and no item until a certificate is chosen, then its price", () => {
    expect(lookupAfter(historyTo.Opened)).toMatchObject({ totalPence: 9000, items: [] });
    expect(lookupAfter(historyTo.Priced)).toMatchObject({
      totalPence: 9000,
      items: ["Birth Certificate × 2"],
    });
  });

  it("shows the public history newest first, and the time of the last event", () => {
    expect(lookupAfter(historyTo.Submitted)).toMatchObject({
      createdAt: start,
      updatedAt: addSeconds(start, 60),
      statusHistory: [
        {
          status: "Processing",
          text: "Your application was sent to the General Register Office",
          timestamp: addSeconds(start, 60),
        },
        { status: "Processing", text: "We received your payment", timestamp: addSeconds(start, 30) },
        { status: "Pending", text: "We received your order", timestamp: start },
      ],
    });
  });

  it("shows the promise once submission was requested, and the receipt once the data was deleted", () => {
    expect(lookupAfter(historyTo.AwaitingPayment)).toMatchObject({ promise: null, receipt: null });
    expect(lookupAfter(historyTo.Dispatched)).toMatchObject({
      promise: { receivedOn: "2026-11-23" },
      receipt: { ...receipt, purgedAt: addSeconds(start, 65) },
    });
  });

  it("asks for another address when the confirmation bounced and the order is active", () => {
    const bounced: TimedEvent[] = [
      ...historyTo.Paid,
      [
        {
          type: "SubmissionRequested",
          data: { promise: { receivedOn: "2026-11-23", despatchBy: "2026-12-14" } },
        },
        40,
      ],
      [
        {
          type: "ConfirmationUndeliverable",
          data: { template: "confirmation", templateVersion: 1, about: uuid(4), because: "refused" },
        },
        50,
      ],
    ];
    expect(lookupAfter(historyTo.Paid)).toMatchObject({ unreachedBy: null });
    expect(lookupAfter(bounced)).toMatchObject({ unreachedBy: "confirmation" });
    const over: TimedEvent[] = [
      ...bounced,
      [{ type: "OrderCancelled", data: { reason: "unconfirmed", by: "system" } }, 60],
    ];
    expect(lookupAfter(over)).toMatchObject({ unreachedBy: null });
  });

  it("names the vault's contact record until that is purged", () => {
    expect(lookupAfter(historyTo.Fulfilled)).toMatchObject({ contactRef: uuid(101) });
    const forgotten: TimedEvent[] = [
      ...historyTo.Fulfilled,
      [
        {
          type: "ContactDataPurged",
          data: {
            startedBy: null,
            destroyed: ["contact"],
            rule: "retention",
            keyFingerprint: "ef".repeat(32),
            probe: "unreadable",
            records: 1,
          },
        },
        200_000,
      ],
    ];
    expect(lookupAfter(forgotten)).toMatchObject({ contactRef: null });
  });
});

it("stores what changes before what stays: what two rows have in common at their ends is not logged", () => {
  const [before, after] = [historyTo.Submitted, historyTo.Dispatched].map((history) =>
    String(rowAfter(ordersProjection, history).answer),
  );
  if (!before || !after) throw new Error("There are answers.");
  const same = [...before].findIndex((_, nth) => before.at(-1 - nth) !== after.at(-1 - nth));
  expect(same).toBeGreaterThan(200);
});

describe("the list", () => {
  it("shows the chosen certificate once there is one", () => {
    const choice = { certificateType: "Birth", serviceLevel: "standard" } as const;
    expect(rowAfter(ordersProjection, historyTo.Opened)).toMatchObject({
      order_number: "0000-0000-00000",
      cell: cellOf("Opened", null),
      copies: null,
      total_pence: 9000,
      created_at: start,
      updated_at: start,
      paid_at: noMoment,
      despatch_by: noDay,
      awaited_by: null,
      stuck_at: null,
      purge_since: null,
    });
    expect(rowAfter(ordersProjection, historyTo.Fulfilled)).toMatchObject({
      cell: cellOf("Fulfilled", choice),
      copies: 2,
      updated_at: addSeconds(start, 100_001),
    });
  });
});

it("refuses an unknown event, a later version, and an extra field", () => {
  const [created] = storedFrom(historyTo.Opened);
  if (!created) throw new Error("The history has a first event.");
  const changed = (change: Partial<StoredEvent>) => () =>
    ordersProjection.fold(undefined, { ...created, ...change });
  expect(changed({})).not.toThrow();
  expect(changed({ type: "OrderTeleported" })).toThrow("OrderTeleported");
  expect(changed({ metadata: { ...created.metadata, schemaVersion: 3 } })).toThrow("version 3");
  expect(changed({ data: { ...created.data, name: "Somebody" } })).toThrow("Unrecognized key");
});
