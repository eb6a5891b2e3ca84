import { describe, expect, it } from "vitest";
import { addSeconds } from "../../../domain/instant.ts";
import type { OrderEvent } from "../../../domain/order/events.ts";
import type { Order } from "../../../domain/order/state.ts";
import { failureReason, type MailTemplate, mailTemplate } from "../../../domain/order/vocabulary.ts";
import {
  cancelled,
  contactRef,
  created,
  failed,
  historyTo,
  orderAfter,
  purged,
  refundStuck,
  requested,
  start,
  started,
  submitted,
  type TimedEvent,
  uuid,
} from "../../../testing/domain/order-fixture.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { composeOrderMails } from "./compose-order-mails.ts";

const contact = {
  companyName: "",
  email: "sian@example.org",
  contactFullName: "Dr Siân Ŵyn-Łukaszewicz <b>& Co</b>",
  contactAddress: {
    Address1: "1 Heol Ŷ",
    Address2: "",
    Town: "Aberdâr",
    County: "Gwent",
    Country: "United Kingdom",
    PostCode: "NP1 1AA",
  },
  contactPhone: { Daytime: "01632960001", Evening: "" },
};
const parts: Parameters<typeof composeOrderMails>[0] = {
  company: () => ({
    tradingName: "Kith & Copy",
    supportEmail: "help@kithandcopy.example",
    postalAddress: "Nottingham, NG1, United Kingdom",
    companyName: "Kith and Copy Ltd",
    companyNumber: "01234567",
    vatNumber: "",
    registeredIn: "England and Wales" as const,
    registeredOffice: "",
    telephone: "0115 496 0000",
    telephoneHours: "Monday to Friday, 9am to 5pm",
    replyWorkingDays: "1",
  }),
  contactRetentionDays: () => 365,
  trackingLink: ({ orderId, orderNumber }, expires) =>
    `https://copies.example/lookup?order=${orderNumber}#key=${orderId}.${expires.getTime()}`,
  returnTo: ({ subject, generation }) => `help+${subject.kind}-${generation}@copies.example`,
  now: () => new Date("2026-11-23T09:31:00Z"),
};
const mails = composeOrderMails(parts);
const withoutMailIn = composeOrderMails({ ...parts, returnTo: () => undefined });
const mayAnswer = "You can reply to this email: a person will read what you write.";

const refundIssued: OrderEvent = {
  type: "RefundIssued",
  data: {
    refundId: `order-${created.data.orderId}-refund-1`,
    providerRefundId: "re_1",
    intentId: "pi_1",
    amountPence: 4321,
  },
};
const refundOf = (amountPence: number) => ({
  refundId: `order-${created.data.orderId}-refund-1`,
  intentId: "pi_1",
  amountPence,
});
/** A refund in the provider's dashboard. */
const goodwill = (amountPence: number): TimedEvent => [
  { type: "RefundIssued", data: { ...refundOf(amountPence), refundId: null, providerRefundId: "re_0" } },
  60,
];
const cardRefused: OrderEvent = {
  type: "PaymentFailed",
  data: { intentId: "pi_1", code: "cardDeclined" },
};
const queried: OrderEvent = {
  type: "GROOutcomeRecorded",
  data: { attempt: 1, outcome: "queried", questionRef: null },
};
const cancelAsked: OrderEvent = {
  type: "CancellationRequested",
  data: { reason: "customerRequest", by: "customer" },
};
const notFound: OrderEvent = { type: "OrderFailed", data: { cause: "gro", reason: "recordNotFound" } };

const occasions: Readonly<Record<MailTemplate, readonly TimedEvent[]>> = {
  confirmation: requested,
  submitted: historyTo.Submitted,
  dataDeleted: [...historyTo.Submitted, [purged, 65]],
  paymentFailed: [...historyTo.AwaitingPayment, [cardRefused, 30]],
  groQuestion: [...historyTo.Submitted, [queried, 500]],
  dispatched: historyTo.Dispatched,
  cancelled: historyTo.Cancelled,
  cancellationTooLate: [...historyTo.Confirmed, [started(), 55], [cancelAsked, 56], [submitted(), 60]],
  failed: historyTo.Failed,
  refunded: [...historyTo.Cancelled, [refundIssued, 3_600]],
  orderLinks: [...historyTo.Submitted, [{ type: "OrderLinksRequested", data: {} }, 600]],
  emailChanged: [
    ...historyTo.Submitted,
    [
      {
        type: "ContactCorrected",
        data: { contactRef: uuid(301), previousContactRef: contactRef, emailChanged: true },
      },
      600,
    ],
  ],
};

function mailAfter(
  template: MailTemplate,
  history: readonly TimedEvent[] = occasions[template],
  {
    others = [],
    more = false,
    composer = mails,
  }: { others?: readonly Order[]; more?: boolean; composer?: typeof mails } = {},
): Mail {
  const order: Order = orderAfter(history);
  const about = order.mails.owed.find((owed) => owed.template === template)?.about;
  if (about === undefined) throw new Error(`This history has no ${template} due.`);
  const links = template === "orderLinks" ? { orders: [order, ...others], more } : undefined;
  const { mail } = composer.compose({ order, contact, template, about, links });
  if (!mail) throw new Error("Expected a recipient.");
  return mail;
}

const withoutMarkup = (html: string): string =>
  html
    .replace(/<(title|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"');
const wordsOf = (text: string): string[] => text.match(/[\p{L}\d£.]+/gu) ?? [];

/** Of an order that nobody has paid for: anyone can have it sent to any address. */
const unpaid: ReadonlySet<MailTemplate> = new Set(["paymentFailed"]);

describe.each(mailTemplate.options)("the mail '%s'", (template) => {
  it("greets by name, and names the order and the company, as text and as HTML", () => {
    const mail = mailAfter(template);
    expect(mail.to).toBe("sian@example.org");
    expect(mail.subject).toContain(created.data.orderNumber);
    for (const part of [mail.text, withoutMarkup(mail.html)]) {
      expect(part).toContain(`Dear ${unpaid.has(template) ? "customer" : contact.contactFullName},`);
      expect(part).toContain("help@kithandcopy.example");
      expect(part).toContain("not affiliated with the General Register Office");
    }
  });

  it("links to the order, unless it goes to a previous address", () => {
    const { text, html } = mailAfter(template);
    expect(text.includes("https://copies.example/lookup?order=")).toBe(template !== "emailChanged");
    expect(html.includes('href="https://copies.example/lookup?order=')).toBe(template !== "emailChanged");
  });

  it("escapes personal input", () => {
    expect(mailAfter(template).html).not.toContain("<b>");
    expect(mailAfter(template).html.includes("&lt;b&gt;&amp; Co&lt;/b&gt;")).toBe(!unpaid.has(template));
  });

  it("has the same content in HTML as in text", () => {
    const { text, html } = mailAfter(template);
    const shown = new Set(wordsOf(withoutMarkup(html)));
    const [, ...lines] = text.replace(/https:\S+/g, "").split("\n");
    expect(lines.flatMap(wordsOf).filter((word) => !shown.has(word))).toEqual([]);
  });

  it("holds no personal data except the name and the address it is sent to", () => {
    const { text, html, subject } = mailAfter(template);
    expect(`${text}${html}${subject}`).not.toMatch(/Heol|Aberdâr|NP1 1AA|01632/);
  });

  it("loads and runs nothing", () => {
    expect(mailAfter(template).html).not.toMatch(/<(img|script|link|iframe|form)|url\(|@import/i);
  });

  it("has the same id when written again, and a unique one", () => {
    expect(mailAfter(template).messageId).toBe(mailAfter(template).messageId);
    expect(mailAfter(template).messageId).toContain(template);
  });

  it("comes back to its order, unless it goes to a previous address", () => {
    const { returnTo, thread } = mailAfter(template);
    expect(thread).toMatch(/^order\.[0-9a-f-]{36}$/);
    expect(returnTo).toBe(template === "emailChanged" ? undefined : "help+order-0@copies.example");
  });

  it("says that it may be answered only where answers are read", () => {
    const { text, html } = mailAfter(template);
    const unread = mailAfter(template, undefined, { composer: withoutMailIn });
    expect(unread.returnTo).toBeUndefined();
    for (const part of [text, html]) expect(part.includes(mayAnswer)).toBe(template !== "emailChanged");
    for (const part of [unread.text, unread.html]) expect(part).not.toContain("reply to this email");
  });
});

it("a mail after a correction comes back to another address than those before it", () => {
  expect(mailAfter("submitted", occasions.emailChanged).returnTo).toBe("help+order-1@copies.example");
});

describe("a mail before the payment", () => {
  const composed = (contactFullName: string) => {
    const order = orderAfter(occasions.paymentFailed);
    const about = order.mails.owed[0]?.about ?? "";
    const known = { ...contact, contactFullName, customerReference: "evil.example/prize" };
    return mails.compose({ order, contact: known, template: "paymentFailed", about, links: undefined }).mail;
  };

  it("greets by name", () => {
    expect(composed("Dr Siân Ŵyn-Łukaszewicz")?.text).toContain("Dear Dr Siân Ŵyn-Łukaszewicz,");
  });

  it("carries no advertisement to an address that anyone may have typed", () => {
    const mail = composed("You have won: see https://evil.example/prize");
    expect(mail?.text).toContain("Dear customer,");
    expect(`${mail?.text}${mail?.html}`).not.toContain("evil");
  });
});

describe("a certificate for another person", () => {
  const given = {
    ...contact,
    recipient: {
      fullName: "Mair <b>Evans</b>",
      address: { ...contact.contactAddress, Address1: "2 Stryd Ŵ" },
    },
    customerReference: "SMITH & SON/42",
  };
  const composed = (template: MailTemplate, known: typeof contact = given) => {
    const order = orderAfter(occasions[template]);
    const about = order.mails.owed.find((owed) => owed.template === template)?.about ?? "";
    const links = template === "orderLinks" ? { orders: [order], more: false } : undefined;
    return mails.compose({ order, contact: known, template, about, links }).mail;
  };

  it.each([
    ["confirmation", "posts it to Mair <b>Evans</b>, at the address you gave us; we"],
    ["submitted", "It will go by post to Mair <b>Evans</b>, at the address you gave us."],
    ["dispatched", "by post to Mair <b>Evans</b>, at the address you gave us."],
    ["dataDeleted", "We keep your name and address, and the recipient’s, for 12 months"],
  ] as const)("is said so in the mail '%s'", (template, words) => {
    const mail = composed(template);
    expect(mail?.text).toContain(words);
    expect(withoutMarkup(mail?.html ?? "")).toContain(words);
    expect(mail?.html).not.toContain("<b>");
  });

  it.each(mailTemplate.options.filter((template) => !unpaid.has(template)))(
    "and the customer's own reference are in '%s' without an address",
    (template) => {
      const { to, subject, text = "", html = "" } = composed(template) ?? {};
      expect(to).toBe("sian@example.org");
      expect(subject).not.toContain("SMITH");
      for (const part of [text, withoutMarkup(html)])
        expect(part).toMatch(/Your reference:? +SMITH & SON\/42/);
      expect(`${text}${html}`).not.toMatch(/Stryd/);
    },
  );

  it("changes nothing where there is none", () => {
    const { text = "", html = "" } = composed("confirmation", contact) ?? {};
    expect(text).toContain("The GRO prints it and posts it to the address you gave us; we");
    expect(`${text}${html}`).not.toContain("Your reference");
    expect(composed("submitted", contact)?.text).toContain(
      "It will come by post to the address you gave us.",
    );
    expect(composed("dataDeleted", contact)?.text).toContain("We keep your name and address for 12 months");
  });
});

describe("the mail with links", () => {
  const earlier = orderAfter(historyTo.Cancelled);

  it("lists each order with its number, day, status and link", () => {
    const { subject, text } = mailAfter("orderLinks", undefined, { others: [earlier] });
    expect(subject).toBe("Links to your orders");
    expect(text).toContain("Order number: 0000-0000-00000\nOrdered: Monday 23 November 2026");
    expect(text).toContain("Status: With Home Office");
    expect(text).toContain("Status: Cancelled");
    expect(text.match(/Open this order:\nhttps:/g)).toHaveLength(2);
    expect(text).not.toContain("more orders");
  });

  it("says when it leaves some out", () => {
    expect(mailAfter("orderLinks", undefined, { more: true }).text).toContain("You have more orders");
  });
});

describe("the mail to a previous address", () => {
  it("says which order was changed and when, whom to tell, and links nowhere", () => {
    const { subject, text, html } = mailAfter("emailChanged");
    expect(subject).toBe("Your order’s email address was changed (0000-0000-00000)");
    expect(text).toContain(
      "The email address of order 0000-0000-00000 was changed on Monday 23 November 2026 at 09:40.",
    );
    expect(text).toContain("If you did not ask for this, someone else may have access to your order.");
    expect(text).toContain("Please email help@kithandcopy.example straight away");
    expect(`${text}${html}`).not.toMatch(/https?:/);
  });
});

describe("a mail about the same event of several orders", () => {
  const about = (order: Order, template: MailTemplate) =>
    order.mails.owed.find((mail) => mail.template === template)?.about ?? "";
  const written = (template: MailTemplate, history = occasions[template]) => {
    const order = orderAfter(history);
    const other = { ...order, orderId: uuid(900), orderNumber: "1111-1111-11111" };
    const together = [{ order: other, about: about(other, template) }];
    const { mail } = mails.compose({ order, contact, template, about: about(order, template), together });
    return { orders: [order, other], subject: mail?.subject ?? "", text: mail?.text ?? "" };
  };

  it.each([
    ["submitted", "The GRO has your applications", "Reached the GRO: Monday 23 November 2026 at 09:31"],
    ["dataDeleted", "Your sensitive details were deleted", "Destroyed: "],
    ["dispatched", "Your certificates are in the post", "Despatched: "],
    ["cancelled", "Your orders were cancelled", "Refund: £90.00"],
    ["refunded", "We refunded £86.42", "Refunded: £43.21"],
  ] as const)("%s names each with its own facts and link", (template, words, ofEach) => {
    const { orders, subject, text } = written(template);
    expect(subject).toBe(words);
    for (const { orderId, orderNumber } of orders) {
      expect(text).toMatch(new RegExp(`^Order(?: number)?: ${orderNumber}$`, "m"));
      expect(text).toContain(`key=${orderId}.`);
    }
    expect(text.split(ofEach)).toHaveLength(3);
  });

  it("cancelled adds up what goes back, and says what went back before", () => {
    expect(written("cancelled").text).toContain("refunding everything you paid for these orders, £180.00.");
    const { text } = written("cancelled", [...historyTo.Paid, goodwill(1_000), [cancelled, 70]]);
    expect(text.split("Already returned: £10.00\nRefund: £80.00")).toHaveLength(3);
    expect(text).toContain(
      "We are refunding the rest of what you paid for these orders, £160.00: £20.00 has already gone back to you.",
    );
  });
});

it("the confirmation of several names each with its price and its link, and the sum", () => {
  const order = orderAfter(requested);
  const about = order.mails.owed.find(({ template }) => template === "confirmation")?.about ?? "";
  const other = { ...order, orderId: uuid(900), orderNumber: "0000-0000-00000" };
  const { mail } = mails.compose({
    order,
    contact,
    template: "confirmation",
    about,
    together: [{ order: other, about: undefined }],
  });
  expect(mail?.subject).toBe("We have received your orders");
  for (const { orderId, orderNumber } of [order, other]) {
    expect(mail?.text).toContain(orderNumber);
    expect(mail?.text).toContain(`key=${orderId}.`);
  }
  const total = order.variant?.totalPence ?? 0;
  expect(mail?.text.match(new RegExp(`Total for this order: £${total / 100}`, "g"))).toHaveLength(2);
  expect(mail?.text).toContain(`Total paid, all taxes included: £${(2 * total) / 100}`);
  expect(mail?.text).toContain(
    "You can cancel each order until its application has been submitted to the GRO",
  );
  expect(mail?.text).toContain("refund everything you paid for it to the card");
});

describe("the confirmation", () => {
  const { text } = mailAfter("confirmation");

  it("has a price breakdown that adds up", () => {
    expect(text).toContain("2 × GRO fee: £25.00");
    expect(text).toContain("2 × GRO search fee (no index reference given): £7.00");
    expect(text).toContain("2 × Our fee: £58.00");
    expect(text).toContain("Total paid, all taxes included: £90.00");
    const sums = [...text.matchAll(/(?:fee|given\)): £([\d.]+)/g)].map(([, pounds]) => Number(pounds));
    expect(sums.reduce((sum, pounds) => sum + pounds, 0)).toBe(90);
  });

  it("promises a date, explains the right to cancel and holds the model form", () => {
    expect(text).toContain("despatch your certificate by Monday 14 December 2026");
    expect(text).toContain("likely to arrive by Thursday 17 December 2026");
    expect(text).toContain("14 days from the day of your order");
    expect(text).toContain("On Monday 23 November 2026 at 09:30 you expressly asked us to start work");
    expect(text).toContain("I/We [*] hereby give notice that I/We [*] cancel my/our [*] contract");
    expect(text).toContain("To Kith & Copy, Nottingham");
  });

  it("says who we are and how to reach us, as every mail does at its foot", () => {
    const who =
      "Kith & Copy is a trading name of Kith and Copy Ltd.\n* Company number 01234567, registered in England and Wales.";
    expect(text).toContain(who);
    expect(text).toContain("a person will reply. We usually reply within one working day.");
    const { text: other, html } = mailAfter("dispatched");
    const telephone = "Telephone 0115 496 0000 (Monday to Friday, 9am to 5pm)";
    expect(other).toContain(`${telephone}\nNottingham, NG1, United Kingdom\n`);
    expect(other).toContain("Company number 01234567, registered in England and Wales.");
    expect(html).toContain(telephone);
    expect(html).toContain("is a trading name of Kith and Copy Ltd.");
  });
});

it("a long value stands apart from its name", () => {
  const { html } = mailAfter("dataDeleted");
  expect(html).toMatch(/margin-right:16px;[^>]*>Destroyed<\/span> <span style="float:right/);
});

describe("the mail about the despatch", () => {
  it("says from which day another can be had, and when the order is closed", () => {
    const { text } = mailAfter("dispatched");
    expect(text).toContain("despatched your certificate on Tuesday 24 November 2026");
    expect(text).toContain("If it has not arrived by Tuesday 8 December 2026, contact us");
    expect(text).toContain("Otherwise we close it on Tuesday 22 December 2026.");
  });

  it("gives the day on which the certificate left the GRO, though we learnt of it later", () => {
    const dispatchedAt = addSeconds(start, 3_600);
    const late: TimedEvent = [{ type: "CertificateDispatched", data: { attempt: 1, dispatchedAt } }, 400_000];
    const { text } = mailAfter("dispatched", [...historyTo.Submitted, late]);
    expect(text).toContain("despatched your certificate on Monday 23 November 2026");
  });
});

describe("the confirmation where staff submit by hand", () => {
  it("does not promise minutes, unlike automatic submission", () => {
    const order = orderAfter(requested);
    const about = order.mails.owed.find(({ template }) => template === "confirmation")?.about ?? "";
    const byHand = composeOrderMails({ ...parts, submittedByHand: true });
    const { mail } = byHand.compose({ order, contact, template: "confirmation", about });
    expect(mail?.text).toContain("Once it has been submitted the service has been fully performed");
    expect(mailAfter("confirmation").text).toContain("usually within minutes of this email, the service");
  });
});

describe("refunds in the mails", () => {
  it("are in full when the order was cancelled, or failed by our own error", () => {
    expect(mailAfter("cancelled").text).toContain("We are refunding everything you paid for it, £90.00");
    expect(mailAfter("failed").text).toContain("refunding everything you paid for this order, £90.00");
  });

  it("exclude the GRO's part when the record was not found", () => {
    const mail = mailAfter("failed", [...historyTo.Submitted, [notFound, 600]]);
    expect(mail.text).toContain("what the GRO returns to us, £24.00: it keeps £4.00");
  });

  it("are in full, and the reason claims no search, when an order failed that was never submitted", () => {
    for (const cause of ["customer", "gro"] as const)
      for (const reason of failureReason.options) {
        const failure: OrderEvent = { type: "OrderFailed", data: { cause, reason } };
        const { text } = mailAfter("failed", [...historyTo.Confirmed, [failure, 70]]);
        expect(text).toContain("We are refunding everything you paid for this order, £90.00.");
        expect(text).toMatch(/Your application was not submitted|We were not able to submit/);
        expect(text).not.toMatch(/searched|spent on the search|returns|our error/);
      }
    const { text } = mailAfter("failed");
    expect(text).toContain("We were not able to submit your application");
    expect(text).not.toContain("Your application was not submitted");
  });

  it("are none when an order failed that was submitted, through neither our error nor a missing record", () => {
    const failure = { cause: "customer", reason: "detailsInsufficient" } as const;
    const { text } = mailAfter("failed", [
      ...historyTo.Submitted,
      [{ type: "OrderFailed", data: failure }, 600],
    ]);
    expect(text).toContain("Our terms do not provide for a refund in this case.");
    expect(text).not.toContain("not submitted");
  });

  it("are the same once they were made, before the mail could be sent", () => {
    const automatic: TimedEvent[] = [
      [
        {
          type: "RefundRequested",
          data: { ...refundOf(9_000), reason: "cancelled", proposal: null },
        },
        80,
      ],
      [{ type: "RefundIssued", data: { ...refundOf(9_000), providerRefundId: "re_9" } }, 90],
    ];
    const mail = mailAfter("cancelled", [...historyTo.Cancelled, ...automatic]);
    expect(mail.text).toContain("We are refunding everything you paid for it, £90.00.");
  });

  it("leave out what went back before the end", () => {
    const mail = mailAfter("cancelled", [...historyTo.Paid, goodwill(1_000), [cancelled, 70]]);
    expect(mail.text).toContain(
      "We are refunding the rest of what you paid for it, £80.00: £10.00 has already gone back to you.",
    );
    const ours = mailAfter("failed", [...historyTo.Confirmed, goodwill(1_000), [failed, 70]]);
    expect(ours.text).toContain(
      "We are refunding the rest of what you paid for this order, £80.00: £10.00 has already gone back to you.",
    );
    const gro = mailAfter("failed", [...historyTo.Submitted, goodwill(1_000), [notFound, 600]]);
    expect(gro.text).toContain("The GRO returns £24.00 to us: it keeps £4.00 of each fee for the search.");
    expect(gro.text).toContain("£10.00 has already gone back to you, so we are refunding £14.00.");
  });

  it("are none where all of it went back before, by us or by the bank", () => {
    const dispute = { disputeId: "du_1", intentId: "pi_1", amountPence: 9_000, reason: "general" } as const;
    const lost: TimedEvent[] = [
      [{ type: "DisputeOpened", data: dispute }, 40],
      [
        {
          type: "DisputeClosed",
          data: { disputeId: "du_1", outcome: "lost", toldBy: "provider", proposal: null },
        },
        50,
      ],
    ];
    for (const before of [[goodwill(9_000)], lost]) {
      const mail = mailAfter("cancelled", [...historyTo.Paid, ...before, [cancelled, 70]]);
      expect(mail.text).toContain("Everything you paid for it, £90.00, has already gone back to you.");
      expect(mail.text).not.toContain("5 to 10 working days");
    }
    const gro = mailAfter("failed", [...historyTo.Submitted, goodwill(3_000), [notFound, 600]]);
    expect(gro.text).toContain(
      "You have already had at least that much back, so there is nothing more to refund.",
    );
  });

  it("count a payment that was not due while it is on its way back, and say so once it went back", () => {
    const twice: TimedEvent = [
      { type: "PaymentReceivedUnexpectedly", data: { intentId: "pi_2", amountPence: 9_000 } },
      40,
    ];
    const unreturned = mailAfter("cancelled", [...historyTo.Paid, twice, [cancelled, 70]]);
    expect(unreturned.text).toContain("We are refunding everything you paid for it, £180.00.");
    const back: TimedEvent = [
      { type: "RefundIssued", data: { ...refundOf(9_000), intentId: "pi_2", providerRefundId: "re_2" } },
      50,
    ];
    const returned = mailAfter("cancelled", [...historyTo.Paid, twice, back, [cancelled, 70]]);
    expect(returned.text).toContain(
      "We are refunding the rest of what you paid for it, £90.00: £90.00 has already gone back to you.",
    );
  });

  it("appear in the mail about that refund", () => {
    const second: OrderEvent = {
      type: "RefundIssued",
      data: { refundId: null, providerRefundId: "re_2", intentId: "pi_1", amountPence: 100 },
    };
    const history: TimedEvent[] = [...occasions.refunded, [second, 7_200]];
    const order = orderAfter(history);
    const subjects = order.mails.owed
      .filter(({ template }) => template === "refunded")
      .map(({ template, about }) => mails.compose({ order, contact, template, about }).mail?.subject);
    expect(subjects).toEqual([
      `We refunded £43.21 (${created.data.orderNumber})`,
      `We refunded £1.00 (${created.data.orderNumber})`,
    ]);
  });
});

describe("the mail about a bank transfer", () => {
  it("says how the refund is made, and why not to the card", () => {
    const data = { intentId: "pi_1", amountPence: 4321, referenceRef: uuid(207), proposal: null };
    const order = orderAfter([...refundStuck, [{ type: "BankTransferRecorded", data }, 7_200]]);
    const about = order.mails.owed.find(({ template }) => template === "refunded")?.about ?? "";
    const text = mails.compose({ order, contact, template: "refunded", about }).mail?.text;
    expect(text).toContain(
      "we refunded £43.21 for this order. Your card did not accept the refund, so we are sending it",
    );
    expect(text).not.toContain("5 to 10 working days");
  });
});

describe("a mail without a recipient", () => {
  it("is not written, but its template is known", () => {
    const order = orderAfter([...historyTo.Paid, [cancelled, 70]]);
    const composed = mails.compose({ order, contact: undefined, template: "cancelled", about: uuid(4) });
    expect(composed).toEqual({ templateVersion: 6, mail: undefined });
  });
});

describe("a mail for which the order lacks data", () => {
  it("throws, and is not sent", () => {
    const order = orderAfter([...historyTo.Opened, [failed, 70]]);
    expect(() => mails.compose({ order, contact, template: "confirmation", about: uuid(1) })).toThrow(
      /lacks data/,
    );
  });
});
