import { expect, test } from "vitest";
import { afterWords, destroyedWords, groupedFingerprint, probeWords, ruleWords } from "./deletion-words.ts";

test("a receipt says in words what was destroyed, why, and how that was checked", () => {
  expect(destroyedWords({ destroyed: ["application", "signature"] })).toBe(
    "certificate details, event details, GRO reference, signature",
  );
  expect(ruleWords({ rule: "submitted" })).toBe("the application had been submitted");
  expect(probeWords({ probe: "unreadable" })).toBe("trying to read it back: nothing could be opened");
});

test("a kind or rule that this page does not know yet is shown as it is named", () => {
  expect(destroyedWords({ destroyed: ["application", "letter"] })).toContain("letter");
  expect(ruleWords({ rule: "newRule" })).toBe("newRule");
});

test("the time after submission stands beside the promise, in the right number", () => {
  expect(afterWords({ secondsAfterSubmission: 1 })).toBe("1 second after submission (we promise 180)");
  expect(afterWords({ secondsAfterSubmission: 6 })).toBe("6 seconds after submission (we promise 180)");
  expect(afterWords({ secondsAfterSubmission: null })).toBeNull();
});

test("a fingerprint is read in groups of four", () => {
  expect(groupedFingerprint("9f31c07a5b")).toBe("9f31 c07a 5b");
});
