import { describe, expect, it } from "vitest";
import { uuid } from "../../testing/domain/order-fixture.ts";
import {
  acknowledged,
  answered,
  asked,
  complained,
  opened,
  said,
  sampleTicketCommand as sample,
  type TicketResult,
  ticketAfter,
  ticketIn,
  turned,
  wrote,
} from "../../testing/domain/ticket-fixture.ts";
import { clockOf } from "./clocks.ts";
import type { TicketCommand } from "./commands.ts";
import type { TicketEvent } from "./events.ts";

/** The mail about the event with the id `uuid(2)`: the answer in the histories below. */
const answerMail = { template: "ticketAnswered", about: uuid(2) } as const;

const answerSent = (status: "Waiting" | "Closed", opening: TicketEvent = opened): TicketResult[] => [
  [opening, 0],
  [acknowledged, 1],
  [answered, 100],
  [turned(status), 100],
  [{ type: "MailSent", data: { ...answerMail, templateVersion: 1 } }, 101],
];

const bounce = (kind: "hard" | "soft" | "complaint"): TicketCommand => ({
  type: "RecordBounce",
  data: { ...answerMail, kind, code: "" },
});
const refusal: TicketCommand = {
  type: "RecordTicketMail",
  data: { ...answerMail, templateVersion: 1, result: "refused" },
};

const withResult = (history: readonly TicketResult[], command: TicketCommand): TicketResult[] => [
  ...history,
  ...asked(history, command, said("provider")).map((event): TicketResult => [event, 1000]),
];

describe("a ticket whose answer did not reach the customer", () => {
  it.each<[string, readonly TicketResult[], TicketCommand]>([
    ["waited, and the mail came back", answerSent("Waiting"), bounce("hard")],
    ["was closed, and the mail came back", answerSent("Closed"), bounce("hard")],
    ["waited, and no mail server took the mail", ticketIn.Waiting, refusal],
  ])("is open again if it %s", (_, history, command) => {
    expect(asked(history, command, said("provider"))).toMatchObject([
      {},
      { type: "TicketStatusChanged", data: { status: "Open", reason: "undelivered" } },
    ]);
  });

  it("is not dealt with", () => {
    const request: TicketEvent = { ...opened, data: { ...opened.data, category: "dataRequest" } };
    const history = answerSent("Closed", request);
    expect(clockOf(ticketAfter(history))?.metOn).toBe("2026-11-23");
    expect(clockOf(ticketAfter(withResult(history, bounce("hard"))))?.metOn).toBeNull();
  });

  it("stays closed if staff close it then", () => {
    const closed: TicketResult[] = [
      ...withResult(answerSent("Waiting"), bounce("hard")),
      [turned("Closed"), 2000],
    ];
    expect(asked(closed, bounce("complaint"), said("provider"))).toMatchObject([{ type: "MailBounced" }]);
  });
});

it.each<[string, readonly TicketResult[], TicketCommand]>([
  ["came back for now, and is sent again", answerSent("Waiting"), bounce("soft")],
  ["was reported as unwanted", answerSent("Waiting"), bounce("complaint")],
  ["is not of the latest answer", [...answerSent("Waiting"), [answered, 200]], bounce("hard")],
  [
    "is of an answer to which the customer replied",
    [...answerSent("Waiting"), [wrote(1), 200], [turned("Closed"), 300]],
    bounce("hard"),
  ],
  [
    "is its acknowledgement",
    [
      [complained, 0],
      [turned("Closed"), 1],
    ],
    { ...sample.RecordTicketMail, data: { ...acknowledged.data, result: "refused" } },
  ],
])("a ticket keeps its status if the mail that did not arrive %s", (_, history, command) => {
  expect(asked(history, command, said("provider"))).toHaveLength(1);
});
