import { describe, expect, it } from "vitest";
import { uuid } from "../../testing/domain/order-fixture.ts";
import {
  acknowledged,
  answered,
  asked,
  autoReplied,
  complained,
  heldOrderId,
  mailed,
  opened,
  said,
  sampleTicketCommand as sample,
  type TicketResult,
  ticketAfter,
  ticketIn,
  turned,
  unacknowledged,
  wrote,
} from "../../testing/domain/ticket-fixture.ts";
import { acknowledgeBy, clockOf, needsOtherAcknowledgement } from "./clocks.ts";
import { mostAttachmentBytes, onlyText } from "./message-parts.ts";
import type { TicketCategory } from "./vocabulary.ts";

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe("opening a ticket", () => {
  it("keeps the order's number as the customer says it, and ties the ticket to an order only when they hold it", () => {
    const orderNumber = "0000-0000-00000";
    const stated = { type: "OpenTicket" as const, data: { ...sample.OpenTicket.data, orderNumber } };
    expect(asked([], stated, said())).toMatchObject([{ type: "TicketOpened", data: { orderNumber } }]);
    const held = { type: "OpenTicket" as const, data: { ...stated.data, heldOrderId } };
    expect(asked([], held, said())).toMatchObject([
      { type: "TicketOpened", data: { orderNumber } },
      { type: "TicketLinkedToOrder", data: { orderId: heldOrderId } },
    ]);
  });

  it("stores the law's last day to acknowledge for data protection complaints, and for nothing else", () => {
    const complaint = {
      type: "OpenTicket" as const,
      data: { ...sample.OpenTicket.data, category: "dataProtectionComplaint" as const },
    };
    expect(asked([], complaint, said())).toMatchObject([{ data: { acknowledgeBy: "2026-12-22" } }]);
    expect(asked([], sample.OpenTicket, said())).toMatchObject([{ data: { acknowledgeBy: null } }]);
  });

  it.each([
    ["2026-11-23", "2026-12-22"],
    ["2027-02-01", "2027-03-02"],
    ["2028-02-01", "2028-03-01"],
    ["2026-10-24", "2026-11-22"],
  ])("counts thirty days from %s, that day included, to %s", (received, last) => {
    expect(acknowledgeBy(received)).toBe(last);
  });
});

describe("a ticket that an automatic mail opens", () => {
  const automatic = {
    type: "OpenTicket" as const,
    data: {
      ...sample.OpenTicket.data,
      ...mailed,
      category: "dataProtectionComplaint" as const,
      automatic: true,
    },
  };
  const opening = asked([], automatic, said()).map((event): TicketResult => [event, 0]);

  it("is closed, owes no mail and starts no clock", () => {
    expect(opening).toMatchObject([
      [{ type: "TicketOpened", data: { automatic: true, acknowledgeBy: null } }, 0],
    ]);
    expect(ticketAfter(opening)).toMatchObject({ phase: "Closed", mails: { owed: [] } });
  });

  const filed = (category: TicketCategory, acknowledgeBy: string | null = null): TicketResult => [
    { type: "TicketCategorised", data: { category, acknowledgeBy } },
    50,
  ];

  it("and that staff answer first owes its customer an acknowledgement, once, and is not dealt with", () => {
    const written: TicketResult[] = [
      ...opening,
      filed("dataRequest"),
      [answered, 100],
      [turned("Closed"), 100],
      [wrote(1), 200],
      [turned("Open"), 200],
    ];
    const acknowledgements = (history: readonly TicketResult[]) =>
      ticketAfter(history).mails.owed.filter(({ template }) => template === "ticketOpened");
    expect(acknowledgements(written)).toMatchObject([{ about: uuid(4) }]);
    expect(clockOf(ticketAfter(written))?.metOn).toBeNull();
    expect(acknowledgements([...written, [wrote(2), 300]])).toHaveLength(1);
  });

  it("is acknowledged as a complaint by other means, unless its customer writes", () => {
    const complaint: TicketResult[] = [...opening, filed("dataProtectionComplaint", "2026-12-22")];
    expect(needsOtherAcknowledgement(ticketAfter(complaint))).toBe(true);
    expect(needsOtherAcknowledgement(ticketAfter([...complaint, [wrote(1), 100]]))).toBe(false);
    const [byPhone] = asked(complaint, sample.AcknowledgeTicket);
    const done = ticketAfter(byPhone ? [...complaint, [byPhone, 100]] : complaint);
    expect(needsOtherAcknowledgement(done)).toBe(false);
    expect(clockOf(done)?.metOn).toBe("2026-11-23");
  });

  it("opens when its customer writes", () => {
    expect(typesOf(asked(opening, sample.ReplyToTicket, said("customer")))).toEqual([
      "TicketReplied",
      "TicketStatusChanged",
    ]);
  });
});

describe("what mails about answers say", () => {
  it("is a link until the customer chooses the text, on opening or later", () => {
    expect(ticketAfter(ticketIn.Open).mailContent).toBe("link");
    const withText = {
      type: "OpenTicket" as const,
      data: { ...sample.OpenTicket.data, mailContent: "text" as const },
    };
    expect(asked([], withText, said())).toMatchObject([
      { type: "TicketOpened" },
      { type: "MailContentChosen", data: { content: "text" } },
    ]);
    const [chosen] = asked(ticketIn.Open, sample.ChooseMailContent, said("customer"));
    const history: TicketResult[] = chosen ? [...ticketIn.Open, [chosen, 5]] : [];
    expect(ticketAfter(history).mailContent).toBe("text");
    expect(asked(history, sample.ChooseMailContent, said("customer"))).toEqual([]);
  });
});

describe("a mail as it came", () => {
  const history: TicketResult[] = [[{ ...opened, data: { ...opened.data, ...mailed } }, 0]];

  it("is opened by staff with a reason, each time as an event", () => {
    const revealed = {
      type: "OriginalRevealed",
      data: { staffId: "staff_1", messageId: uuid(0), reason: "unreadable" },
    } as const;
    expect(asked(history, sample.RevealOriginal)).toEqual([revealed]);
    expect(asked([...history, [revealed, 5]], sample.RevealOriginal)).toEqual([revealed]);
    expect(() => asked(history, sample.RevealOriginal, said("customer"))).toThrow(
      expect.objectContaining({ rule: "staff-only" }),
    );
  });
});

describe("a conversation", () => {
  it("waits for the customer once staff answered, and for staff once the customer did, even when it was closed", () => {
    expect(typesOf(asked(ticketIn.Open, sample.ReplyToTicket, said("staff")))).toEqual([
      "TicketReplied",
      "TicketStatusChanged",
    ]);
    for (const phase of ["Waiting", "Closed"] as const) {
      expect(asked(ticketIn[phase], sample.ReplyToTicket, said("customer"))).toMatchObject([
        { data: { author: "customer", staffId: null } },
        { data: { status: "Open", reason: "reply" } },
      ]);
    }
    expect(typesOf(asked(ticketIn.Open, sample.ReplyToTicket, said("customer")))).toEqual(["TicketReplied"]);
  });

  it("takes so many messages in a row from a customer, and goes on after an answer", () => {
    const flood: TicketResult[] = [
      [opened, 0],
      ...Array.from({ length: 20 - 1 }, (_, n): TicketResult => [wrote(n), n + 1]),
    ];
    const more = () => asked(flood, sample.ReplyToTicket, said("customer"));
    expect(more).toThrow(expect.objectContaining({ rule: "answer-pending" }));
    expect(asked(flood.slice(0, -1), sample.ReplyToTicket, said("customer"))).toHaveLength(1);
    const after: TicketResult[] = [...flood, [answered, 90], [turned("Waiting"), 90]];
    expect(asked(after, sample.ReplyToTicket, said("customer"))).toHaveLength(2);
    expect(asked(flood, sample.ReplyToTicket, said("staff"))).toHaveLength(2);
  });

  it("takes mails like messages from the page, and stays as it is for automatic replies", () => {
    const byMail = { type: "ReplyToTicket" as const, data: { messageRef: uuid(501), ...mailed } };
    expect(asked(ticketIn.Closed, byMail, said("customer"))).toMatchObject([
      { type: "TicketReplied", data: { author: "customer", ...mailed } },
      { type: "TicketStatusChanged", data: { status: "Open" } },
    ]);
    for (const phase of ["Open", "Waiting", "Closed"] as const) {
      expect(typesOf(asked(ticketIn[phase], sample.FileAutomaticReply, said("customer")))).toEqual([
        "AutomaticReplyReceived",
      ]);
      const before = ticketAfter(ticketIn[phase]);
      const after = ticketAfter([...ticketIn[phase], [autoReplied, 900]]);
      expect({ ...after, messages: before.messages, counts: before.counts }).toEqual(before);
    }
  });

  it("counts no automatic reply among the messages that await an answer", () => {
    const absent = Array.from({ length: 30 }, (_, n): TicketResult => [autoReplied, n + 1]);
    expect(asked([[opened, 0], ...absent], sample.ReplyToTicket, said("customer"))).toHaveLength(1);
  });

  describe("without an answer", () => {
    const files = [{ ref: uuid(700), type: "pdf" as const, bytes: mostAttachmentBytes }];
    const withFiles = { ...onlyText, attachments: files };
    const reply = (parts: typeof withFiles | typeof onlyText | typeof mailed) =>
      ({ type: "ReplyToTicket", data: { messageRef: uuid(501), ...parts } }) as const;
    const sent = (times: number, parts: typeof withFiles | typeof mailed): TicketResult[] => [
      [opened, 0],
      ...Array.from({ length: times }, (_, n): TicketResult => {
        const data = { author: "customer", staffId: null, messageRef: uuid(800 + n), ...parts } as const;
        return [{ type: "TicketReplied", data }, n + 1];
      }),
    ];
    const pending = expect.objectContaining({ rule: "answer-pending" });

    const absent = Array.from({ length: 19 }, (_, n): TicketResult => [autoReplied, n + 1]);

    it("takes 300 MB, automatic replies included, and after them text alone", () => {
      const full: TicketResult[] = [[opened, 0], ...absent, ...sent(1, withFiles).slice(1)];
      expect(asked(full.slice(0, -2), sample.FileAutomaticReply, said("customer"))).toHaveLength(1);
      expect(() => asked(full, sample.FileAutomaticReply, said("customer"))).toThrow(pending);
      expect(() => asked(full, reply(withFiles), said("customer"))).toThrow(pending);
      expect(() => asked(full, reply(mailed), said("customer"))).toThrow(pending);
      expect(asked(full, reply(onlyText), said("customer"))).toHaveLength(1);
      const after: TicketResult[] = [...full, [answered, 90], [turned("Waiting"), 90]];
      expect(asked(after, reply(withFiles), said("customer"))).toHaveLength(2);
    });

    it("takes twenty mails, each as large as one may be", () => {
      expect(asked(sent(18, mailed), reply(mailed), said("customer"))).toHaveLength(1);
      expect(() => asked(sent(19, mailed), reply(mailed), said("customer"))).toThrow(pending);
    });
  });

  it("takes no file or mail from staff", () => {
    const reply = { type: "ReplyToTicket" as const, data: { messageRef: uuid(501), ...mailed } };
    expect(asked(ticketIn.Open, reply, said("staff"))).toMatchObject([
      { data: { author: "staff", mail: null, attachments: [] } },
      {},
    ]);
  });

  it("has notes of staff only", () => {
    const note = () => asked(ticketIn.Open, sample.NoteOnTicket, said("customer"));
    expect(note).toThrow(expect.objectContaining({ rule: "staff-only" }));
  });

  it("tells messages from notes, oldest first", () => {
    const ticket = ticketAfter([...ticketIn.Waiting, [wrote(1), 300]]);
    expect(ticket.messages.map(({ author }) => author)).toEqual(["customer", "staff", "customer"]);
    expect(ticket.notes).toEqual([]);
  });
});

describe("the private link", () => {
  it("is replaced by one of the next generation, each time it is asked", () => {
    expect(asked(ticketIn.Open, sample.ReplaceTicketLink)).toEqual([
      { type: "TicketLinkReplaced", data: { generation: 2 } },
    ]);
    const again: TicketResult[] = [
      ...ticketIn.Open,
      [{ type: "TicketLinkReplaced", data: { generation: 2 } }, 9],
    ];
    expect(ticketAfter(again).linkGeneration).toBe(2);
    expect(asked(again, sample.ReplaceTicketLink)).toMatchObject([{ data: { generation: 3 } }]);
  });

  it("that was replaced since it admitted the sender admits no reply, and no replacement", () => {
    const through = (linkGeneration: number) => [
      { type: "ReplaceTicketLink" as const, data: { linkGeneration } },
      { type: "ReplyToTicket" as const, data: { ...sample.ReplyToTicket.data, linkGeneration } },
    ];
    const replaced: TicketResult[] = [
      ...ticketIn.Open,
      [{ type: "TicketLinkReplaced", data: { generation: 2 } }, 9],
    ];
    for (const command of through(1)) {
      expect(asked(ticketIn.Open, command)).not.toEqual([]);
      expect(() => asked(replaced, command)).toThrow(expect.objectContaining({ code: "unknown-ticket" }));
    }
    for (const command of through(2)) expect(asked(replaced, command)).not.toEqual([]);
  });
});

describe("an acknowledgement", () => {
  const undeliverable: TicketResult = [unacknowledged, 1];

  it("that went out is on time for ever", () => {
    const ticket = ticketAfter([
      [complained, 0],
      [acknowledged, 1],
    ]);
    expect(ticket.acknowledgement).toMatchObject({ by: "2026-12-22", state: "sent" });
    expect(needsOtherAcknowledgement(ticket)).toBe(false);
  });

  it("that did not arrive waits for a person, until the last day of the law", () => {
    const ticket = ticketAfter([[complained, 0], undeliverable]);
    expect(needsOtherAcknowledgement(ticket)).toBe(true);
    expect(ticket.acknowledgement).toMatchObject({ by: "2026-12-22", state: "undeliverable" });
  });

  it("of another ticket has no last day", () => {
    const ticket = ticketAfter([[opened, 0], undeliverable]);
    expect(ticket.acknowledgement.by).toBeNull();
    expect(needsOtherAcknowledgement(ticket)).toBe(false);
  });

  it("is recorded once, however often it is reported", () => {
    const mail = {
      type: "RecordTicketMail" as const,
      data: { ...acknowledged.data, result: "sent" as const },
    };
    expect(asked(ticketIn.Open, mail)).toEqual([acknowledged]);
    expect(asked(ticketIn.Waiting, mail)).toEqual([]);
  });
});
