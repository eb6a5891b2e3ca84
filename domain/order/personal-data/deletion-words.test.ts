import { expect, test } from "vitest";
import {
  afterWords,
  deletionOnRecord,
  destroyedWords,
  groupedFingerprint,
  ruleWords,
} from "./deletion-words.ts";

test("a receipt says in words what was purged and why", () => {
  expect(destroyedWords(["application", "signature"])).toBe(
    "certificate details, event details, GRO reference, signature",
  );
  expect(ruleWords("submitted")).toBe("the application had been submitted");
});

test("a kind or rule that an older page does not know yet is shown as it is named", () => {
  expect(destroyedWords(["application", "letter"])).toContain("letter");
  expect(ruleWords("newRule")).toBe("newRule");
});

test("the time after submission stands beside the promise, in the right number", () => {
  expect(afterWords(1)).toBe("1 second after submission (we promise 180)");
  expect(afterWords(6)).toBe("6 seconds after submission (we promise 180)");
  expect(afterWords(null)).toBeUndefined();
});

test("a fingerprint is read in groups of four", () => {
  expect(groupedFingerprint("9f31c07a5b")).toBe("9f31 c07a 5b");
});

test("a proof of a conversation's deletion is read in words, like that of an order", () => {
  const record = new Map([
    ["type", "TicketPurged"],
    ["index", "7"],
    ["time", "2026-11-28T09:00:00.000Z"],
    ["destroyed", "ticketContact ticketMessage ticketAttachment ticketOriginal"],
    ["rule", "orderPurged"],
    ["probe", "unreadable"],
    ["key", "9f31c07a"],
  ]);
  expect(deletionOnRecord(record, 7)?.facts.slice(0, 2)).toEqual([
    {
      name: "Destroyed",
      value:
        "name and email address, the messages of a conversation, the files of a conversation, emails as they came",
    },
    { name: "Because", value: "the contact details of its order were deleted" },
  ]);
});
