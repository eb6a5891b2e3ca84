import { expect, it } from "vitest";
import { addDays } from "../../../domain/instant.ts";
import { absentDraft, evolveDraft, type SavedDraft } from "../../../domain/saved-draft/state.ts";
import { start, uuid } from "../../../testing/domain/order-fixture.ts";
import { composeDraftMails } from "./compose-draft-mails.ts";

const key = "k".repeat(43);
const link = { email: "sian@post.example", key };
const parts: Parameters<typeof composeDraftMails>[0] = {
  company: () => ({
    tradingName: "Kith & Copy",
    supportEmail: "help@kithandcopy.example",
    postalAddress: "Nottingham, NG1, United Kingdom",
    companyName: "Kith and Copy Ltd",
    companyNumber: "01234567",
    vatNumber: "",
    registeredIn: "England and Wales" as const,
    registeredOffice: "",
    telephone: "",
    telephoneHours: "",
    replyWorkingDays: "1",
  }),
  publicUrl: "https://copies.example",
  returnTo: ({ subject, generation }) => `help+${subject.kind}-${generation}@copies.example`,
};
const mails = composeDraftMails(parts);
const withoutMailIn = composeDraftMails({ ...parts, returnTo: () => undefined });

function savedDraft(): SavedDraft {
  const ids = { draftId: uuid(700), keyDigest: "ab".repeat(32), draftRef: uuid(701), linkRef: uuid(702) };
  const data = { ...ids, expiresAt: addDays(start, 7) };
  const recorded = { eventId: uuid(0), at: start, revision: 0 };
  const state = evolveDraft(absentDraft, { type: "DraftSaved", data }, recorded);
  if (!state.isSaved) throw new Error("Expected a draft.");
  return state;
}

const compose = (to: typeof link | undefined, composer = mails) =>
  composer.compose({ draft: savedDraft(), link: to, template: "savedDraft", about: uuid(0) });

it("holds a link that opens the order and one that deletes it, in the fragment, as text and as HTML", () => {
  const { mail } = compose(link);
  expect(mail?.to).toBe("sian@post.example");
  for (const part of [mail?.text, mail?.html]) {
    expect(part).toContain(`https://copies.example/order/saved#key=${key}`);
    expect(part).toContain(`https://copies.example/order/saved#delete=${key}`);
    expect(part).toContain("The link works until Monday 30 November 2026 at 09:30");
  }
});

it("says that it may be answered only where answers are read", () => {
  const [read, unread] = [compose(link).mail, compose(link, withoutMailIn).mail];
  expect(unread?.returnTo).toBeUndefined();
  for (const part of [read?.text, read?.html])
    expect(part).toContain("You can reply to this email: a person will read what you write.");
  for (const part of [unread?.text, unread?.html]) expect(part).not.toContain("reply to this email");
});

it("greets without a name: anyone can have it sent to any address", () => {
  expect(compose(link).mail?.text).toContain("Dear customer,");
});

it("loads and runs nothing, and has the same id when written again", () => {
  expect(compose(link).mail?.html).not.toMatch(/<(img|script|link|iframe|form)|url\(|@import/i);
  expect(compose(link).mail).toMatchObject({
    messageId: `savedDraft.${uuid(0)}`,
    thread: `draft.${uuid(700)}`,
    returnTo: "help+draft-0@copies.example",
  });
});

it("has no recipient once the address is destroyed", () => {
  expect(compose(undefined)).toEqual({ templateVersion: 3, mail: undefined });
});
