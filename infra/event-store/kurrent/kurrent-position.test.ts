import fc from "fast-check";
import { expect, it } from "vitest";
import { beginning } from "../event-store.ts";
import { placeOf, positionOfPlace } from "./kurrent-position.ts";

const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n });
const place = fc.record({ commit: word, prepare: word });

it("survives a round trip through text", () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(placeOf(positionOfPlace(one))).toEqual(one);
    }),
  );
});

it("sorts as text in log order", () => {
  const order = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b));
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [one, other] = [positionOfPlace(a), positionOfPlace(b)];
      const asText = one < other ? -1 : Number(one > other);
      expect(asText).toBe(order(a.commit, b.commit) || order(a.prepare, b.prepare));
    }),
  );
});

it("has no place at the beginning", () => {
  expect(placeOf(beginning)).toBeUndefined();
});

it.each(["0000000000000016", "C:12/P:12", "latest", `${"0".repeat(16)}-${"G".repeat(16)}`])(
  "refuses %s, which is not a position of this kind of log",
  (text) => expect(() => placeOf(text)).toThrow(RangeError),
);

it("refuses the answer of a server that gives no positions", () => {
  expect(() => positionOfPlace({ commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n })).toThrow(
    "older than 22.6",
  );
});
