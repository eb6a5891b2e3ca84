import { type Mail, type Mailer, MailRefused, MailUnavailable } from "../mail/mailer.ts";
import type { OrderMails } from "../mail/order-mails.ts";
import type { TicketMails } from "../mail/ticket-mails.ts";
import {
  type Accepted,
  type Application,
  type Automation,
  NoticeRefused,
  SubmissionRefused,
  SubmissionUncertain,
} from "../submission/automation.ts";

/**
 * `answerLost`: it accepts, and nobody hears of it. `deaf`: nothing reaches it, and nobody hears of that. `down`: it cannot even be
 * asked. `locked`: it refuses to answer.
 */
export type AutomationMood = "well" | "refuses" | "answerLost" | "deaf" | "down" | "locked";

/** An automation service for tests: remembers what it accepted, and does what a test tells it. */
export type TestAutomation = Automation & {
  mood: AutomationMood;
  /** Every application that was sent to it. */
  readonly sent: Application[];
  /** What the GRO has, by key. */
  readonly accepted: Map<string, Accepted>;
  readonly asked: string[];
};

export function testAutomation(now: () => Date): TestAutomation {
  const service: TestAutomation = {
    mood: "well",
    sent: [],
    accepted: new Map(),
    asked: [],
    submit: async (application) => {
      if (service.mood === "down") throw new SubmissionUncertain("unreachable");
      service.sent.push(application);
      if (service.mood === "refuses") throw new SubmissionRefused("rejected");
      if (service.mood === "deaf") throw new SubmissionUncertain("timeout");
      const { key } = application;
      const acceptance = service.accepted.get(key) ?? acceptedAs(service.accepted.size + 1, now());
      service.accepted.set(key, acceptance);
      if (service.mood === "answerLost") throw new SubmissionUncertain("timeout");
      return acceptance;
    },
    ask: async (key) => {
      service.asked.push(key);
      if (service.mood === "down") throw new SubmissionUncertain("unreachable");
      if (service.mood === "locked") throw new SubmissionRefused("unauthorized");
      const acceptance = service.accepted.get(key);
      return acceptance ? { state: "accepted", ...acceptance } : { state: "unknown" };
    },
    readNotice: () => {
      throw new NoticeRefused("This service sends none.");
    },
  };
  return service;
}

export const acceptedAs = (n: number, at: Date): Accepted => ({
  groOrderReference: `GRO-${n}`,
  acceptedAt: at.toISOString(),
});

/** A mail server for tests. */
export type TestMailer = Mailer & { mood: "well" | "down" | "refusesAddress"; readonly sent: Mail[] };

export function testMailer(): TestMailer {
  const mailer: TestMailer = {
    mood: "well",
    sent: [],
    send: async (mail) => {
      if (mailer.mood === "down") throw new MailUnavailable("unreachable");
      if (mailer.mood === "refusesAddress") throw new MailRefused("addressRefused");
      mailer.sent.push(mail);
    },
    close: async () => undefined,
  };
  return mailer;
}

const plainMail = (to: string | undefined, template: string, about: string) => ({
  templateVersion: 1,
  mail:
    to === undefined
      ? undefined
      : { to, subject: template, text: template, html: template, messageId: `${template}.${about}` },
});

/** Mails that say no more than which they are. */
export const testMails: OrderMails = {
  compose: ({ contact, template, about }) => plainMail(contact?.email, template, about),
};
export const testTicketMails: TicketMails = {
  compose: ({ contact, template, about }) => plainMail(contact?.email, template, about),
};
