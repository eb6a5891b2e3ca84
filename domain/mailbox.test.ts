import { describe, expect, it } from "vitest";
import { addSeconds } from "./instant.ts";
import {
  type BounceKind,
  bounced,
  closeMail,
  forget,
  isNewBounce,
  isNewResult,
  isUnderWay,
  isUnreachable,
  type MailRules,
  type Mails,
  mailTaskName,
  owe,
  readdressed,
  stopOf,
} from "./mailbox.ts";

type Template = "news" | "contract";

const start = "2026-11-23T09:30:00.000Z";
const rules: MailRules<Template> = {
  hasAddress: true,
  isTrue: () => true,
  isNeeded: ({ template }) => template === "contract",
};
const news = { template: "news", about: "one" } as const;
const contract = { template: "contract", about: "two" } as const;

const none: Mails<Template> = { owed: [], sent: [] };
const sent = closeMail(owe(none, "news", "one", start), news, "sent", start);
const back = (mails: Mails<Template>, kind: BounceKind, its = rules, at = start) =>
  bounced(mails, { ...news, kind }, at, its);

describe("a mail that comes back", () => {
  it("for good is undelivered, and its address unreachable for all that fall due", () => {
    const mails = owe(back(sent, "hard"), "contract", "two", start);
    expect(mails).toMatchObject({ sent: [], undelivered: [{ ...news, because: "hard" }] });
    expect(isUnreachable(mails)).toBe(true);
    expect(mails.owed.map((mail) => stopOf(mails, mail, rules))).toEqual(["unreachable"]);
  });

  it("stays unreachable when what the mail said is no longer true", () => {
    expect(isUnreachable(forget(back(sent, "hard"), "news"))).toBe(true);
  });

  it("softly is tried again after 1, 6 and 24 hours, each time as another task; the fourth counts as hard", () => {
    const waits: unknown[] = [];
    const names: string[] = [];
    let mails = sent;
    for (let nth = 0; nth < 3; nth++) {
      mails = back(mails, "soft");
      const [owed] = mails.owed;
      if (!owed) throw new Error("It is not owed again.");
      waits.push(owed.notBefore);
      names.push(mailTaskName(owed));
      mails = closeMail(mails, news, "sent", start);
    }
    expect(waits).toEqual([1, 6, 24].map((hours) => addSeconds(start, hours * 3600)));
    expect(names).toEqual(["mail-news-one-2", "mail-news-one-3", "mail-news-one-4"]);
    expect(isUnreachable(mails)).toBe(false);
    expect(isUnreachable(back(mails, "soft"))).toBe(true);
  });

  it("softly is forgotten if it says nothing that is so any more, or nobody can be written to", () => {
    expect(back(sent, "soft", { ...rules, isTrue: () => false })).toEqual(none);
    expect(back(sent, "soft", { ...rules, hasAddress: false })).toEqual(none);
  });

  it("as spam is undelivered, through no fault of its address", () => {
    const mails = back(sent, "spam");
    expect(mails.undelivered).toMatchObject([{ ...news, because: "spam" }]);
    expect(isUnreachable(mails)).toBe(false);
  });

  it("from an address that was corrected since goes to the new one, whose mails are not stopped", () => {
    const mails = back(readdressed(sent, true, start, rules), "hard");
    expect(mails).toEqual({ owed: [{ ...news, since: start, tries: 1, notBefore: start }], sent: [] });
    expect(isUnreachable(mails)).toBe(false);
  });

  it("is known once it was recorded, and unknown where it was never sent", () => {
    expect(isNewBounce(sent, { ...news, kind: "hard" })).toBe(true);
    expect(isNewBounce(back(sent, "hard"), { ...news, kind: "hard" })).toBe(false);
    expect(isNewBounce(sent, { ...contract, kind: "hard" })).toBe(false);
  });

  it("before it is recorded as sent is under way, but not while it waits to be tried again", () => {
    expect(isUnderWay(owe(none, "news", "one", start), news, start)).toBe(true);
    expect(isUnderWay(back(sent, "soft"), news, start)).toBe(false);
    expect(isUnderWay(sent, news, start)).toBe(false);
  });
});

describe("a complaint", () => {
  const complained = owe(owe(back(sent, "complaint"), "contract", "two", start), "news", "three", start);

  it("stops what the law does not ask for", () => {
    expect(complained.sent).toHaveLength(1);
    expect(complained.owed.map((mail) => stopOf(complained, mail, rules))).toEqual([undefined, "unwanted"]);
  });

  it("needs no mail that is known as sent, and is recorded once", () => {
    expect(isNewBounce(none, { ...news, kind: "complaint" })).toBe(true);
    expect(isNewBounce(complained, { ...contract, kind: "complaint" })).toBe(false);
  });

  it("of an address that was corrected since means nothing", () => {
    const elsewhere = readdressed(sent, true, start, rules);
    expect(isNewBounce(elsewhere, { ...news, kind: "complaint" })).toBe(false);
  });

  it("leaves an address reachable that was confirmed after a mail came back", () => {
    const confirmed = readdressed(back(complained, "hard"), false, start, rules);
    expect(isUnreachable(confirmed)).toBe(false);
    expect(confirmed.undelivered).toMatchObject([{ ...news, because: "unwanted" }]);
    expect(confirmed.owed.map((mail) => stopOf(confirmed, mail, rules))).toEqual([undefined, "unwanted"]);
  });

  it("holds until another address is given", () => {
    const third = { template: "news", about: "three" } as const;
    const stopped = closeMail(complained, third, "unwanted", start);
    const confirmed = readdressed(stopped, false, start, rules);
    expect(confirmed.unwanted).toBe(true);
    expect(confirmed.undelivered).toMatchObject([third]);
    const corrected = readdressed(stopped, true, start, rules);
    expect(corrected.unwanted).toBeUndefined();
    expect(corrected.owed).toMatchObject([contract, { ...third, tries: 1 }]);
  });
});

describe("an address that is corrected, or confirmed as right", () => {
  it("is owed again what did not reach it, while that is so", () => {
    const lost = closeMail(owe(back(sent, "hard"), "contract", "two", start), contract, "unreachable", start);
    const isTrue = ({ template }: { template: Template }) => template === "contract";
    for (const emailChanged of [true, false]) {
      const mails = readdressed(lost, emailChanged, start, { ...rules, isTrue });
      expect(mails.owed).toEqual([{ ...contract, since: start, tries: 1, notBefore: start }]);
      expect(isUnreachable(mails)).toBe(false);
    }
  });

  it("is sent at once what was to be tried again later, with all its tries", () => {
    const later = addSeconds(start, 60);
    expect(readdressed(back(sent, "soft"), true, later, rules).owed).toEqual([
      { ...news, since: start, tries: 1, notBefore: later },
    ]);
  });
});

describe("a result", () => {
  it("that was stopped counts only while it is stopped", () => {
    const owed = owe(back(sent, "hard"), "contract", "two", start);
    const result = { ...contract, result: "unreachable" } as const;
    expect(isNewResult(owed, result, rules)).toBe(true);
    expect(isNewResult(readdressed(owed, true, start, rules), result, rules)).toBe(false);
    expect(isNewResult(owed, { ...contract, result: "unwanted" }, rules)).toBe(false);
  });

  it("of a mail that was sent, or refused, is recorded once", () => {
    expect(isNewResult(sent, { ...news, result: "sent" }, rules)).toBe(false);
    const refused = closeMail(owe(none, "news", "one", start), news, "refused", start);
    expect(isNewResult(refused, { ...news, result: "refused" }, rules)).toBe(false);
    expect(isNewResult(refused, { ...news, result: "sent" }, rules)).toBe(true);
  });
});
