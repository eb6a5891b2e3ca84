import { expect, it } from "vitest";
import { purgeDetails } from "./purge-leaf.ts";

const key = "ab".repeat(32);
const receipt = {
  destroyed: ["application", "signature"],
  rule: "submitted",
  probe: "unreadable",
  keyFingerprint: key,
};

it("a purge's leaf states what was destroyed, why, with which key and result", () => {
  const data = { ...receipt, startedBy: null, records: 3, secondsSinceSubmission: 6 };
  const details = [
    ["destroyed", "application signature"],
    ["rule", "submitted"],
    ["probe", "unreadable"],
    ["key", key],
    ["records", "3"],
  ];
  for (const type of ["SensitiveDataPurged", "ContactDataPurged", "TicketPurged", "DraftPurged"])
    expect(purgeDetails({ type, data })).toEqual(details);
});

it("the leaf of a mailed link states what was destroyed, and not which record it was", () => {
  const data = { recordRef: "secret-ref", keyFingerprint: key, probe: "unreadable" };
  expect(purgeDetails({ type: "LinkDestroyed", data })).toEqual([
    ["destroyed", "savedDraftLink"],
    ["rule", "mailed"],
    ["probe", "unreadable"],
    ["key", key],
    ["records", "1"],
  ]);
});

it("the leaf of a question's text states what was destroyed and why, and not which record it was", () => {
  const data = { recordRef: "secret-ref", keyFingerprint: key, probe: "unreadable" };
  expect(purgeDetails({ type: "GROQuestionPurged", data })).toEqual([
    ["destroyed", "groQuestion"],
    ["rule", "questionClosed"],
    ["probe", "unreadable"],
    ["key", key],
    ["records", "1"],
  ]);
});

it("a replaced record's leaf states its class, and not which record it was", () => {
  const data = { dataClass: "contact", recordRef: "secret-ref", keyFingerprint: key, probe: "unreadable" };
  const details = purgeDetails({ type: "ReplacedRecordPurged", data });
  expect(details).toContainEqual(["destroyed", "contact"]);
  expect(JSON.stringify(details)).not.toContain("secret-ref");
});

it("other events add no lines", () => {
  expect(purgeDetails({ type: "OrderCreated", data: { orderNumber: "KC-1234" } })).toBeUndefined();
  expect(purgeDetails({ type: "TicketPurged", data: { rule: "a\nb" } })).toBeUndefined();
});
