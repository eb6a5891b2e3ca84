import { expect, it } from "vitest";
import { mostOrders } from "../../../domain/checkout/shares.ts";
import { agoInWords, createPlacedOrders } from "./placed-orders.ts";

const minuteMs = 60_000;

/** Two tabs of one browser, with a clock. */
function tabs(stored?: string) {
  const items = new Map(stored === undefined ? [] : [["placed-orders", stored]]);
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
  };
  const clock = { ms: 1_000_000 };
  const tab = () => createPlacedOrders(storage, () => clock.ms);
  return { first: tab(), second: tab(), clock };
}

it("tells another tab of the same draft, and neither the one that paid nor another draft", () => {
  const { first, second } = tabs();
  first.note("draft-1", "A");
  expect(second.before("draft-1", [])).toMatchObject({ orderNumber: "A", paidAtMs: 1_000_000 });
  expect(second.before("draft-1", ["B"])).toMatchObject({ orderNumber: "A" });
  expect(first.before("draft-1", ["A"])).toBeUndefined();
  expect(second.before("draft-2", [])).toBeUndefined();
});

it("keeps the time of the first report, and forgets a charge that did not happen", () => {
  const { first, second, clock } = tabs();
  first.note("draft-1", "A");
  clock.ms += minuteMs;
  first.note("draft-1", "A");
  expect(second.before("draft-1", [])?.paidAtMs).toBe(1_000_000);
  first.withdraw("A");
  expect(second.before("draft-1", [])).toBeUndefined();
});

it("keeps the orders of three full payments, for a day", () => {
  const { first, clock } = tabs();
  const newest = 3 * mostOrders;
  for (let n = 0; n <= newest; n += 1) first.note(`draft-${n}`, `${n}`);
  expect(first.before("draft-0", [])).toBeUndefined();
  expect(first.before("draft-1", [])).toBeDefined();
  clock.ms += 24 * 60 * minuteMs;
  expect(first.before(`draft-${newest}`, [])).toBeUndefined();
});

it.each(["no JSON", "{}", '[{"draftId":1}]'])("starts anew from what something else wrote: %s", (stored) => {
  const { first } = tabs(stored);
  expect(first.before("draft-1", [])).toBeUndefined();
  first.note("draft-1", "A");
  expect(first.before("draft-1", [])).toBeDefined();
});

it.each([
  [0.9, "less than a minute ago"],
  [1, "1 minute ago"],
  [2.5, "2 minutes ago"],
  [60, "1 hour ago"],
  [1439, "23 hours ago"],
])("says %s minutes as '%s'", (minutes, words) => {
  expect(agoInWords(minutes * minuteMs)).toBe(words);
});
