import fc from "fast-check";
import { expect, test } from "vitest";
import { mailCorpus } from "../../../testing/providers/mail-corpus.ts";
import { foldQuotes, isDivider } from "./fold-quotes.ts";

test.each([
  [
    "English",
    "Thanks!",
    "On Fri, 27 Nov 2026 at 10:12, Kith & Copy <help@x.example> wrote:\n\n> Hello\n>\n> World",
  ],
  [
    "English on two lines",
    "Thanks!",
    "On Fri, 27 Nov 2026 at 10:12, Kith & Copy\n<help@x.example> wrote:\n> Hello",
  ],
  ["German", "Danke!", "Am 27.11.2026 um 10:12 schrieb Kith & Copy <help@x.example>:\n> Hallo"],
  ["French", "Merci", "Le ven. 27 nov. 2026 à 10:12, Kith & Copy <help@x.example> a écrit :\n\n> Bonjour"],
  ["Welsh", "Diolch", "Ar Gwen, 27 Tach 2026 am 10:12, ysgrifennodd Kith & Copy <help@x.example>:\n> Helo"],
  ["Polish", "Dzięki", "pt., 27 lis 2026 o 10:12 Kith & Copy <help@x.example> napisał(a):\n\n> Cześć"],
  [
    "Outlook, English",
    "Thanks",
    "-----Original Message-----\nFrom: Kith & Copy\nSent: Friday\nTo: Siân\nSubject: Order\n\nHello",
  ],
  [
    "Outlook, German",
    "Danke",
    "________________________________\nVon: Kith & Copy <help@x.example>\nGesendet: Freitag\nAn: Siân\nBetreff: Auftrag\n\nHallo",
  ],
  [
    "Outlook, Welsh, without a rule",
    "Diolch",
    "Oddi wrth: Kith <help@x.example>\nAnfonwyd: 27 Tachwedd 2026 10:12\nAt: Siân\nPwnc: Archeb\n\nHelo",
  ],
  [
    "Outlook, English, without a rule",
    "Thanks",
    "From: Kith <help@x.example>\nSent: Friday, November 27, 2026 9:12 AM\nTo: Siân\nSubject: Order\n\nHello",
  ],
  [
    "Outlook, Polish, without a rule",
    "Dzięki",
    "Od: Kith <help@x.example>\nWysłano: piątek, 27 listopada 2026 10:12\nDo: Siân\nTemat: Odpis\n\nCześć",
  ],
  [
    "Outlook, Danish, without a rule",
    "Tak",
    "Fra: Kith <help@x.example>\nSendt: 27. november 2026 10.12\nTil: Siân\nEmne: Ordre\n\nHej",
  ],
  [
    "Apple, French",
    "Voilà",
    "De: Kith <help@x.example>\nObjet: Commande\nDate: 27 novembre 2026 à 10:12:33 UTC\nÀ: Siân\n\nBonjour",
  ],
  ["signature", "See you", "--\nSiân Ŵyn\n+44 20 7946 0000"],
  ["telephone", "Yes", "Sent from my iPhone"],
  ["telephone, German", "Ja", "Von meinem iPhone gesendet"],
  ["telephone, Polish", "Tak", "Wysłane z iPhone'a"],
])("%s is folded", (_, text, quoted) => {
  expect(foldQuotes(`${text}\n\n${quoted}`)).toEqual({ text, quoted });
});

test("Signature and quote are folded together", () => {
  const { text, quoted } = foldQuotes("Yes.\n\n-- \nSiân\n\nOn Friday Kith wrote:\n> Is it you?");
  expect(text).toBe("Yes.");
  expect(quoted).toBe("-- \nSiân\n\nOn Friday Kith wrote:\n> Is it you?".replace("-- ", "--"));
});

test("A quote above the answer is folded", () => {
  expect(foldQuotes("> Is it you?\n\nYes.")).toEqual({ text: "Yes.", quoted: "> Is it you?" });
});

test("Answers between quotes keep what they answer", () => {
  const mail = "> Your name?\nSiân\n\n> Your age?\n40";
  expect(foldQuotes(mail)).toEqual({ text: mail, quoted: "" });
});

test("The last of several quotes is folded", () => {
  expect(foldQuotes("> Your name?\nSiân\n\nOn Friday Kith wrote:\n> All of it")).toEqual({
    text: "> Your name?\nSiân",
    quoted: "On Friday Kith wrote:\n> All of it",
  });
});

test("A mail that is nothing but a quote is shown", () => {
  expect(foldQuotes("> Is it you?")).toEqual({ text: "> Is it you?", quoted: "" });
});

test.each([
  "On 3 May I married. She wrote:\nHello, all is well",
  "Name: Siân\nDate: 3 May\nPlace: Cardiff\nFather: Ifan",
  "Hello,\nFull name: Siân Ŵyn\nDate of birth: 03.05.1952\nEmail: sian@example.org\nPhone: 020 7946 0000\n\nPlease hurry",
  "Hello,\nName: Siân\nBorn: 3 May 1952\nTime of birth: 10:30\nEmail: sian@example.org\nCost: 12.50",
  "Cheers,\nSiân",
  "--help is what I typed\nand it failed",
  "a > b",
])("A person's own words are not folded: %j", (text) => {
  expect(foldQuotes(text)).toEqual({ text, quoted: "" });
});

test("A divider is what one expression would say, without its backtracking", () => {
  const expression = /^[-_]{2,}\s?\S[^\n]{0,60}?\s?[-_]{2,}$/;
  const pieces = fc.constantFrom("-", "--", "---", "_", " ", "  ", "x", "\t", "x".repeat(29), "é -");
  const random = fc.array(pieces, { maxLength: 12 }).map((each) => each.join("").slice(0, 200).trim());
  const sameFor = (line: string): void => {
    expect([line, isDivider(line)]).toEqual([line, expression.test(line)]);
  };
  fc.assert(fc.property(random, sameFor), { numRuns: 5_000 });
  for (const { raw } of mailCorpus) {
    for (const line of raw.toString().split(/\r?\n/)) sameFor(line.slice(0, 200).trim());
  }
});

test("Lines of dashes take no time", () => {
  const lines = `${"-".repeat(199)}x\n`.repeat(75_000);
  const { user: before } = process.cpuUsage();
  foldQuotes(lines);
  const ms = (process.cpuUsage().user - before) / 1_000;
  // 135 s with an expression that backtracks.
  expect(ms).toBeLessThan(5_000);
});
