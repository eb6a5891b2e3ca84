import type { DraftMails } from "../../services/documents/mail/compose-draft-mails.ts";
import type { OrderMails } from "../../services/documents/mail/compose-order-mails.ts";
import type { TicketMails } from "../../services/documents/mail/compose-ticket-mails.ts";
import {
  type Accepted,
  type Application,
  type Automation,
  type GroNotice,
  NoticeRefused,
  SubmissionRefused,
  type SubmissionStatus,
  SubmissionTooLate,
  SubmissionUncertain,
} from "../../services/providers/gro/automation.ts";
import {
  type Mail,
  type Mailer,
  MailRefused,
  MailUnavailable,
} from "../../services/providers/smtp/mailer.ts";

/**
 * `answerLost`: accepts, but the answer is lost. `deaf`: neither receives nor answers. `down`: unreachable. `locked`:
 * refuses to answer.
 */
type AutomationMood = "well" | "refuses" | "answerLost" | "deaf" | "down" | "locked";

/** A fake automation service: records accepted applications, and behaves as a test says. */
export type TestAutomation = Automation & {
  mood: AutomationMood;
  /** Every application sent. */
  readonly sent: Application[];
  /** Accepted by the GRO, by key. */
  readonly accepted: Map<string, Accepted>;
  /** Keys that were inquired about and are refused from then on. */
  readonly closed: Set<string>;
  /** The GRO's latest status of accepted applications, by key. */
  readonly latest: Map<string, Latest>;
  /** Keys inquired about, one entry per inquiry. */
  readonly asked: string[];
  /** Status requests, one entry per call. */
  readonly statusesAsked: (readonly string[])[];
};

type Latest = Pick<GroNotice, "kind" | "occurredAt">;

export function testAutomation(now: () => Date): TestAutomation {
  const service: TestAutomation = {
    mood: "well",
    sent: [],
    accepted: new Map(),
    closed: new Set(),
    latest: new Map(),
    asked: [],
    statusesAsked: [],
    submit: async (application) => {
      if (service.mood === "down") throw new SubmissionUncertain("unreachable");
      service.sent.push(application);
      if (service.mood === "refuses") throw new SubmissionRefused("rejected");
      if (service.mood === "deaf") throw new SubmissionUncertain("timeout");
      const acceptance = accept(service, application, now());
      if (service.mood === "answerLost") throw new SubmissionUncertain("timeout");
      return acceptance;
    },
    ask: async (key) => {
      service.asked.push(key);
      answering(service);
      const acceptance = service.accepted.get(key);
      if (!acceptance) service.closed.add(key);
      return acceptance ? { state: "accepted", ...acceptance } : { state: "unknown" };
    },
    statuses: async (submissions) => {
      const names = submissions.map((name) => ("key" in name ? name.key : name.groOrderReference));
      service.statusesAsked.push(names);
      answering(service);
      return names.map((name) => statusOf(service, name));
    },
    readNotice: () => {
      throw new NoticeRefused("This service sends no notices.");
    },
  };
  return service;
}

/** Once per key, as the contract requires. */
function accept({ accepted, closed }: TestAutomation, { key, notAfter }: Application, now: Date): Accepted {
  const earlier = accepted.get(key);
  if (earlier) return earlier;
  if (closed.has(key)) throw new SubmissionTooLate("closed");
  if (now > new Date(notAfter)) throw new SubmissionTooLate("expired");
  const acceptance = acceptedAs(accepted.size + 1, now);
  accepted.set(key, acceptance);
  return acceptance;
}

function answering({ mood }: TestAutomation): void {
  if (mood === "down") throw new SubmissionUncertain("unreachable");
  if (mood === "locked") throw new SubmissionRefused("unauthorized");
}

function statusOf({ accepted, latest }: TestAutomation, name: string): SubmissionStatus {
  for (const [key, acceptance] of accepted) {
    if (name === key || name === acceptance.groOrderReference)
      return { state: "accepted", ...acceptance, latest: latest.get(key) ?? null };
  }
  return { state: "unknown" };
}

export const acceptedAs = (n: number, at: Date): Accepted => ({
  groOrderReference: `GRO-${n}`,
  acceptedAt: at.toISOString(),
});

/** A fake mail server. */
export type TestMailer = Mailer & {
  mood: "well" | "down" | "refusesAddress" | "refusesContent";
  readonly sent: Mail[];
};

export function testMailer(): TestMailer {
  const mailer: TestMailer = {
    mood: "well",
    sent: [],
    send: async (mail) => {
      if (mailer.mood === "down") throw new MailUnavailable("unreachable");
      if (mailer.mood === "refusesAddress") throw new MailRefused("addressRefused");
      if (mailer.mood === "refusesContent") throw new MailRefused("contentRefused");
      mailer.sent.push(mail);
    },
    close: async () => undefined,
  };
  return mailer;
}

const plainMail = (to: string | undefined, template: string, about: string, text: string = template) => ({
  templateVersion: 1,
  mail:
    to === undefined
      ? undefined
      : {
          ...{ to, subject: template, text, html: text },
          ...{ messageId: `${template}.${about}`, thread: template },
        },
});

/** Mails that contain only their name. */
/** Its text has a line for each order that it tells of: the ids of the order and of its event. */
export const testMails: OrderMails = {
  compose: ({ order, contact, template, about, together = [] }) => {
    const text = [{ order, about }, ...together].map((one) => `${one.order.orderId} ${one.about}`).join("\n");
    return plainMail(contact?.email, template, about, text);
  },
};
export const testTicketMails: TicketMails = {
  compose: ({ contact, template, about }) => plainMail(contact?.email, template, about),
};
export const testDraftMails: DraftMails = {
  compose: ({ link, template, about }) => plainMail(link?.email, template, about),
};
