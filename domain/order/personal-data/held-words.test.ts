import { describe, expect, it } from "vitest";
import { erasureOutcome, heldSentence } from "./held-words.ts";

const day = (at: string) => at.slice(0, 10);
const at = "2027-11-23T09:30:00.000Z";

describe("what is held, in a sentence", () => {
  it.each([
    [{ state: "none" } as const, "No data was given."],
    [
      { state: "destroyed", at, rule: "neverPaid" } as const,
      "Destroyed on 2027-11-23: the order was never paid.",
    ],
    [
      { state: "due", until: at, rule: "retention" } as const,
      "Held until 2027-11-23: we keep it for a set period afterwards, in case of complaints or claims.",
    ],
    [
      { state: "needed", for: "dispute" } as const,
      "Held for now: a bank is deciding about a payment, and we may have to answer a claim.",
    ],
  ])("%#", (held, sentence) => {
    expect(heldSentence(held, day)).toBe(sentence);
  });
});

describe("what a request for erasure comes to", () => {
  it("erases what nothing needs, and names the ground of what it leaves", () => {
    expect(erasureOutcome({ state: "due", until: at, rule: "erasure" }, at)).toEqual({ outcome: "erased" });
    expect(
      erasureOutcome({ state: "due", until: at, rule: "submitted" }, "2027-11-23T09:29:59.000Z"),
    ).toMatchObject({ outcome: "set", until: at });
    expect(erasureOutcome({ state: "destroyed", at, rule: "submitted" }, at)).toEqual({ outcome: "gone" });
    expect(erasureOutcome({ state: "needed", for: "dispute" }, at)).toMatchObject({
      outcome: "kept",
      ground: expect.stringContaining("17(3)(e)"),
    });
  });
});
