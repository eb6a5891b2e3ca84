import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { londonDate, londonTime } from "./london-time.ts";
import {
  afterDespatch,
  arrivalBy,
  cutOffWords,
  despatchWords,
  fastestWorkingDays,
  isWorkingDay,
  nextWorkingDay,
  postWords,
  processingWords,
  promiseOf,
  receivedOn,
  submissionWords,
} from "./timetable.ts";

describe("London time", () => {
  it.each([
    ["2026-01-15T15:59:00Z", "2026-01-15", 15],
    ["2026-07-15T15:00:00Z", "2026-07-15", 16],
    ["2026-07-15T23:30:00Z", "2026-07-16", 0],
    // The clocks change on 29 March and 25 October 2026, at 01:00 UTC.
    ["2026-03-29T00:59:00Z", "2026-03-29", 0],
    ["2026-03-29T01:00:00Z", "2026-03-29", 2],
    ["2026-10-25T00:59:00Z", "2026-10-25", 1],
    ["2026-10-25T01:00:00Z", "2026-10-25", 1],
  ])("at %s is %s, hour %i", (at, date, hour) => {
    expect(londonTime(at)).toEqual({ date, hour });
    expect(londonDate(at)).toBe(date);
  });
});

describe("what reaches the GRO", () => {
  it.each([
    ["2026-11-23T15:59:59Z", "2026-11-23", "before four on a Monday in winter"],
    ["2026-11-23T16:00:00Z", "2026-11-24", "at four on a Monday in winter"],
    ["2026-07-13T14:59:59Z", "2026-07-13", "before four on a Monday in summer"],
    ["2026-07-13T15:00:00Z", "2026-07-14", "at four on a Monday in summer"],
    ["2026-11-20T17:00:00Z", "2026-11-23", "on a Friday evening"],
    ["2026-11-21T10:00:00Z", "2026-11-23", "on a Saturday"],
    ["2026-12-24T16:30:00Z", "2026-12-29", "on Christmas Eve, with a substitute day after the weekend"],
    ["2027-12-24T10:00:00Z", "2027-12-24", "in the morning of Christmas Eve"],
    ["2027-12-25T10:00:00Z", "2027-12-29", "at a Christmas with two substitute days"],
  ])("%s counts for %s: %s", (at, day) => {
    expect(receivedOn(at)).toBe(day);
  });
});

describe("the promise", () => {
  it("is 15 working days for standard and the next for priority", () => {
    expect(promiseOf("standard", "2026-11-23T09:30:00Z")).toEqual({
      receivedOn: "2026-11-23",
      despatchBy: "2026-12-14",
    });
    expect(promiseOf("priority", "2026-11-23T09:30:00Z")).toEqual({
      receivedOn: "2026-11-23",
      despatchBy: "2026-11-24",
    });
  });

  it("skips Christmas, New Year and Easter", () => {
    expect(promiseOf("standard", "2026-12-21T09:30:00Z").despatchBy).toBe("2027-01-14");
    expect(promiseOf("priority", "2026-04-02T09:30:00Z").despatchBy).toBe("2026-04-07");
  });

  it("is always a working day after the one it is counted from", () => {
    const moments = fc.date({
      min: new Date("2025-01-01"),
      max: new Date("2032-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.constantFrom("standard" as const, "priority" as const), (moment, level) => {
        const promise = promiseOf(level, moment.toISOString());
        expect(isWorkingDay(promise.receivedOn) && isWorkingDay(promise.despatchBy)).toBe(true);
        expect(promise.despatchBy > promise.receivedOn).toBe(true);
        expect(promise.receivedOn >= londonDate(moment.toISOString())).toBe(true);
      }),
    );
  });
});

describe("working days", () => {
  it("follow one another", () => {
    expect(nextWorkingDay("2026-11-20")).toBe("2026-11-23");
    expect(nextWorkingDay("2028-02-28")).toBe("2028-02-29");
    // Three days of post, within a week and over a weekend.
    expect(arrivalBy("2026-11-23")).toBe("2026-11-26");
    expect(arrivalBy("2026-11-25")).toBe("2026-11-30");
  });
});

/** Easter Sunday by the usual arithmetic of the Gregorian calendar, as month (1 to 12) and day. */
function easter(year: number): Date {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const day = (h + l - 7 * m + 33 * month + 19) % 32;
  return new Date(Date.UTC(year, month - 1, day));
}

const iso = (date: Date) => date.toISOString().slice(0, 10);
const plus = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000);
/** The first Monday on or after a day. */
const mondayFrom = (date: Date) => plus(date, (8 - date.getUTCDay()) % 7);

describe("the bank holidays", () => {
  it.each([2025, 2026, 2027, 2028, 2029, 2030])(
    "of %i are eight, and fall where the rules put them",
    (year) => {
      const day = (month: number, date: number) => new Date(Date.UTC(year, month - 1, date));
      const newYear = [0, 6].includes(day(1, 1).getUTCDay()) ? mondayFrom(day(1, 1)) : day(1, 1);
      const christmas = [day(12, 25), day(12, 26)].filter((date) => ![0, 6].includes(date.getUTCDay()));
      for (let next = day(12, 27); christmas.length < 2; next = plus(next, 1)) {
        if (![0, 6].includes(next.getUTCDay())) christmas.push(next);
      }
      const expected = [
        newYear,
        plus(easter(year), -2),
        plus(easter(year), 1),
        mondayFrom(day(5, 1)),
        mondayFrom(day(5, 25)),
        mondayFrom(day(8, 25)),
        ...christmas,
      ].map(iso);
      const listed = Array.from({ length: 366 }, (_, n) => plus(day(1, 1), n)).filter(
        (date) =>
          date.getUTCFullYear() === year && ![0, 6].includes(date.getUTCDay()) && !isWorkingDay(iso(date)),
      );
      expect(listed.map(iso)).toEqual(expected);
    },
  );
});

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
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((file) => written.test(wordsIn(file)))).toEqual([]);
  });

  it("would be found where it is (control)", () => {
    expect(written.test("despatched about 15 working days after")).toBe(true);
    expect(written.test("the post usually takes two or three working days")).toBe(true);
  });
});
