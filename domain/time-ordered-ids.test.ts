import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { id as uuid } from "./fields.ts";
import { timeOf, timeOrdered } from "./time-ordered-ids.ts";

const minuteMs = 60_000;
const noon = Date.UTC(2026, 10, 25, 12);
const hex = (digits: string) => digits.replaceAll("-", "");

describe("A time-ordered id", () => {
  it("is a UUID that sorts by its minute, whatever the id", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.integer({ min: 1, max: 100_000 }), (one, other, later) => {
        const [first, second] = [timeOrdered(one, noon), timeOrdered(other, noon + later * minuteMs)];
        expect(uuid.parse(first) < uuid.parse(second)).toBe(true);
      }),
    );
  });

  it("keeps 100 bits of the id", () => {
    const varied = hex(timeOrdered("00000000-0000-5000-8000-000000000000", noon));
    const other = hex(timeOrdered("ffffffff-ffff-5fff-bfff-ffffffffffff", noon));
    const differing = (BigInt(`0x${varied}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll("0", "");
    expect(differing).toHaveLength(100);
  });

  it("is the same for the same id and minute, and begins again after eight years", () => {
    const made = timeOrdered("0f1e2d3c-4b5a-5000-8000-0123456789ab", noon);
    expect(timeOrdered("0f1e2d3c-4b5a-5000-8000-0123456789ab", noon + minuteMs - 1)).toBe(made);
    expect(timeOrdered("0f1e2d3c-4b5a-5000-8000-0123456789ab", noon + 2 ** 22 * minuteMs)).toBe(made);
  });
});

describe("The time of a UUID", () => {
  it("is read from version 7", () => {
    // The example of RFC 9562.
    expect(timeOf("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")).toBe(Date.UTC(2022, 1, 22, 19, 22, 22));
  });

  it.each(["017f22e2-79b0-4cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-08c4-dc0c0c07398f", "a-key", ""])(
    "is unknown of %j",
    (text) => {
      expect(timeOf(text)).toBeUndefined();
    },
  );
});
