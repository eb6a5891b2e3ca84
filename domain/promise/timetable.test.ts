import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  afterDespatch,
  arrivalBy,
  cutOffWords,
  despatchWords,
  fastestWorkingDays,
  postWords,
  processingWords,
  submissionWords,
} from "./timetable.ts";

describe("the timetable", () => {
  it("keeps the specified words for processing", () => {
    expect(processingWords("standard")).toBe("Processing within 7-10 working days");
    expect(processingWords("priority")).toBe("Processing within 1-3 working days");
  });

  it("counts the post from the day of despatch, over weekends and bank holidays", () => {
    expect(arrivalBy("2026-12-14")).toBe("2026-12-17");
    expect(arrivalBy("2026-12-23")).toBe("2026-12-30");
  });

  it("says the same numbers in words, and 5 working days at the fastest, as is advertised", () => {
    expect(despatchWords.standard).toBe("about 15 working days after the GRO receives the application");
    expect(postWords).toBe("2 to 3 working days");
    expect(cutOffWords).toContain("by 16:00 on a working day");
    expect(fastestWorkingDays).toBe(5);
  });

  it("promises no minutes where staff submit", () => {
    expect(submissionWords(false)).toContain("minutes");
    expect(submissionWords(true)).not.toContain("minutes");
  });
});

const root = join(import.meta.dirname, "..", "..");
const written = /\b(\d+|one|two|three|five|ten|fifteen)\s+working days\b|\b16:00\b/;
/** The bank's time for a refund. */
const another = ["services/documents/mail/templates/endings.ts"];

/** Sentences that people read, without comments; docs and tests aside. */
const sources = globSync(["web/**/*.{ts,tsx}", "services/**/*.ts"], { cwd: root })
  .filter((file) => !/node_modules|dist\/|\.test\.|-fixture|services\/seed/.test(file))
  .filter((file) => !another.includes(file));

const wordsIn = (file: string): string =>
  readFileSync(join(root, file), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/(^|\s)\/\/.*$/gm, "");

describe("what follows the despatch", () => {
  it("is counted in working days, from the day in London", () => {
    // A Tuesday, with Christmas, Boxing Day's substitute and New Year's Day to come.
    expect(afterDespatch("2026-12-15T23:30:00Z")).toEqual({
      despatchedOn: "2026-12-15",
      arrivalBy: "2026-12-18",
      missingFrom: "2026-12-31",
      closesOn: "2027-01-15",
    });
    expect(afterDespatch("2026-07-13T23:30:00Z").despatchedOn).toBe("2026-07-14");
  });
});

describe("how long it takes", () => {
  it("is written down nowhere else", () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((file) => written.test(wordsIn(file)))).toEqual([]);
  });

  it("would be found where it is (control)", () => {
    expect(written.test("despatched about 15 working days after")).toBe(true);
    expect(written.test("the post usually takes two or three working days")).toBe(true);
  });
});
