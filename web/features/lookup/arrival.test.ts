import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { trackedOrder } from "../../../testing/pages/tracked-order.ts";
import { Outlook } from "./arrival.tsx";

/** What the page says of an order on a day. */
function outlookOf(order: TrackedOrder, today = "2026-12-10") {
  vi.useFakeTimers({ now: new Date(`${today}T12:00:00Z`), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const said = renderToStaticMarkup(createElement(Outlook, { order }));
  const [, heading = "", words] = /^<h3[^>]*>([^<]*)<\/h3>(?:<p[^>]*>([^<]*)<\/p>)?$/.exec(said) ?? [];
  return { heading, words };
}

test.each<[string, Partial<TrackedOrder>, RegExp]>([
  ["once it is asked to be submitted", {}, /^Expected despatch by Friday 11 December/],
  ["before it is paid", { status: "Pending", promise: null }, /^Waiting for payment/],
  ["before the submission was asked for", { promise: null }, /^We have received the payment/],
  ["after a cancellation was asked for", { cancellationRequested: true }, /^We have been asked to cancel/],
  ["while the GRO waits for an answer", { question: true }, /^Waiting for your answer/],
  ["while no mail reaches its holder", { unreachedBy: "confirmation" }, /^Waiting for your email address/],
  ["after it was cancelled", { status: "Cancelled" }, /^This order was cancelled/],
  ["after it failed", { status: "Failed" }, /^This order could not be completed/],
  ["once it is fulfilled", { status: "Fulfilled" }, /^Your certificate is on its way/],
])("says of an order %s what applies, and no day that does not", (_, part, heading) => {
  const said = outlookOf({ ...trackedOrder, ...part });
  expect(said.heading).toMatch(heading);
  const promised = `${said.heading} ${said.words ?? ""}`.includes("December");
  expect(promised).toBe(heading.source.includes("December"));
});

test("says by which day it is likely to arrive, as the form and the mails do", () => {
  expect(outlookOf(trackedOrder).words).toMatch(/^Likely to arrive by Wednesday 16 December\. Counted from/);
});

test("says what will follow where a cancellation waits for an open attempt", () => {
  const { words } = outlookOf({ ...trackedOrder, cancellationRequested: true });
  expect(words).toMatch(/refund everything paid for it.*too late to cancel.*We’ll send nothing more/);
});

describe("of a despatched certificate", () => {
  const despatch = {
    despatchedOn: "2026-12-09",
    arrivalBy: "2026-12-14",
    missingFrom: "2026-12-23",
    closesOn: "2027-01-11",
    arrivedOn: null,
  };
  const posted = { ...trackedOrder, status: "Fulfilled", despatch } as const;

  test("says when it is likely to arrive, and no longer when it was promised", () => {
    expect(outlookOf(posted, "2026-12-14")).toEqual({
      heading: "Your certificate is on its way",
      words:
        "Despatched on Wednesday 9 December. The post usually takes 2 to 3 working days, so it is likely to arrive by Monday 14 December.",
    });
  });

  test.each([
    ["after that day", posted, "2026-12-15"],
    [
      "of an order that was refunded",
      { ...posted, despatch: { ...despatch, missingFrom: null } },
      "2026-12-10",
    ],
  ])("says only when it was despatched, %s", (_, order, today) => {
    expect(outlookOf(order, today)).toEqual({
      heading: "Your certificate was despatched",
      words: "Despatched on Wednesday 9 December. The post usually takes 2 to 3 working days.",
    });
  });

  test("says that it has arrived, and thanks for the report", () => {
    const arrived = { ...despatch, missingFrom: null, arrivedOn: "2026-12-11" };
    expect(outlookOf({ ...posted, despatch: arrived })).toEqual({
      heading: "Your certificate has arrived",
      words: "You told us on Friday 11 December. Thank you: this order is now closed.",
    });
  });
});
