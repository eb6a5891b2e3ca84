import { describe, expect, it } from "vitest";
import { type TicketMailTemplate, ticketMailTemplate } from "../../../domain/ticket/vocabulary.ts";
import {
  acknowledged,
  answered,
  complained,
  opened,
  type TicketResult,
  ticketAfter,
} from "../../../testing/domain/ticket-fixture.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { composeTicketMails } from "./compose-ticket-mails.ts";

const contact = {
  name: "Dr Siân Ŵyn-Łukaszewicz",
  email: "sian@post.example",
  subject: "My mother's <b>certificate</b>",
};
const parts: Parameters<typeof composeTicketMails>[0] = {
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
  linkTo: (ticketId, generation) => `https://copies.example/support/view#key=${ticketId}.${generation}`,
  returnTo: ({ subject, generation }) => `help+${subject.kind}-${generation}@copies.example`,
};
const mails = composeTicketMails(parts);
const withoutMailIn = composeTicketMails({ ...parts, returnTo: () => undefined });

const replaced: TicketResult = [{ type: "TicketLinkReplaced", data: { generation: 2 } }, 50];
const occasions: Readonly<Record<TicketMailTemplate, readonly TicketResult[]>> = {
  ticketOpened: [[opened, 0]],
  ticketAnswered: [
    [opened, 0],
    [answered, 3600],
  ],
  ticketLink: [[opened, 0], [acknowledged, 1], replaced],
};

function mailAfter(
  template: TicketMailTemplate,
  history = occasions[template],
  to = contact,
  composer = mails,
): Mail {
  const ticket = ticketAfter(history);
  const about = ticket.mails.owed.find((owed) => owed.template === template)?.about;
  if (about === undefined) throw new Error(`This history has no ${template} due.`);
  const { mail } = composer.compose({ ticket, contact: to, template, about });
  if (!mail) throw new Error("Expected a recipient.");
  return mail;
}

const withoutMarkup = (html: string): string =>
  html
    .replace(/<(title|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&#39;/g, "'");

describe.each(ticketMailTemplate.options)("the mail '%s'", (template) => {
  it("greets by name, names the ticket and the company, as text and as HTML", () => {
    const mail = mailAfter(template);
    expect(mail.to).toBe("sian@post.example");
    expect(mail.subject).toContain(opened.data.ticketNumber);
    for (const part of [mail.text, withoutMarkup(mail.html)]) {
      expect(part).toContain("Dear Dr Siân Ŵyn-Łukaszewicz,");
      expect(part).toContain("help@kithandcopy.example");
      expect(part).toContain("not affiliated with the General Register Office");
    }
    expect(withoutMarkup(mail.html)).toMatch(/Ticket\s+T-0000-0000-00000/);
  });

  it("holds the current private link", () => {
    const generation = template === "ticketLink" ? 2 : 1;
    const link = `https://copies.example/support/view#key=${opened.data.ticketId}.${generation}`;
    expect(mailAfter(template).text).toContain(link);
    expect(mailAfter(template).html).toContain(`href="${link}"`);
  });

  it("quotes nothing from the conversation, not even the subject", () => {
    const { text, html, subject } = mailAfter(template);
    expect(`${text}${html}${subject}`).not.toMatch(/mother|certificate</);
  });

  it("loads and runs nothing", () => {
    expect(mailAfter(template).html).not.toMatch(/<(img|script|link|iframe|form)|url\(|@import/i);
  });

  it("has the same id when written again, and a unique one", () => {
    expect(mailAfter(template).messageId).toBe(mailAfter(template).messageId);
    expect(mailAfter(template).messageId).toContain(template);
  });

  it("comes back to its conversation, for as long as its link opens it", () => {
    const { returnTo, thread } = mailAfter(template);
    expect(thread).toMatch(/^ticket\.[0-9a-f-]{36}$/);
    expect(returnTo).toBe(`help+ticket-${template === "ticketLink" ? 2 : 1}@copies.example`);
  });

  it("says that it may be answered only where answers are read", () => {
    const { text, html } = mailAfter(template);
    const unread = mailAfter(template, undefined, undefined, withoutMailIn);
    expect(unread.returnTo).toBeUndefined();
    for (const part of [text, html])
      expect(part).toContain("You can reply to this email: a person will read what you write.");
    for (const part of [unread.text, unread.html]) expect(part).not.toContain("reply to this email");
  });
});

describe("the acknowledgement", () => {
  it("names number, category and time", () => {
    const { text } = mailAfter("ticketOpened");
    expect(text).toContain("Ticket number: T-0000-0000-00000");
    expect(text).toContain("About: A question before I order");
    expect(text).toContain("Received: Monday 23 November 2026 at 09:30");
    expect(text).not.toContain("Information Commissioner");
  });

  it("of a data protection complaint names it as such, with the statutory deadline and the Information Commissioner", () => {
    const { text } = mailAfter("ticketOpened", [[complained, 0]]);
    expect(text).toContain("This email acknowledges your complaint,");
    expect(text).toContain("by Tuesday 22 December 2026");
    expect(text).toContain("Information Commissioner");
  });
});

describe("an answer", () => {
  it("has the date of its own message, not of the newest", () => {
    const twice: TicketResult[] = [...occasions.ticketAnswered, [answered, 90_000]];
    expect(mailAfter("ticketAnswered", twice).text).toContain("on Monday 23 November 2026 at 10:30");
  });
});

describe("a mail without a recipient", () => {
  it("is not written, but its template is known", () => {
    const ticket = ticketAfter(occasions.ticketOpened);
    const [owed] = ticket.mails.owed;
    const composed = mails.compose({
      ticket,
      contact: undefined,
      template: "ticketOpened",
      about: owed?.about ?? "",
    });
    expect(composed).toEqual({ templateVersion: 2, mail: undefined });
  });
});

// Anyone can have the acknowledgement sent to any address: it must not carry their advertisement.
describe("the greeting", () => {
  it.each(["Dr Siân Ŵyn-Łukaszewicz", "O'Brien", "J. R. R. Tolkien", "مريم", "Nguyễn Thị Minh Khai"])(
    "is the name: %s",
    (name) => {
      const { text } = mailAfter("ticketOpened", occasions.ticketOpened, { ...contact, name });
      expect(text).toContain(`Dear ${name},`);
    },
  );

  it.each([
    "Buy now at cheap.example",
    "https://cheap.example",
    "call 0800 123456",
    "me@cheap.example",
    "<b>You won</b>",
    "You have won a prize, and all you need do to get it is to visit us",
    "A line\nand another",
    "evil。example",
    "evil．example",
    "evil․example",
    "evil.c\u00adom",
    "evil.c\u0301om",
    "Siân\u2028\u2028You have won",
    "Siân\u202emoc",
  ])("leaves out anything other than a name: %s", (name) => {
    const { text, html } = mailAfter("ticketOpened", occasions.ticketOpened, { ...contact, name });
    expect(text).toContain("Dear customer,");
    expect(text + html).not.toContain(name);
  });
});
