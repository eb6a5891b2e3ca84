import { expect, test } from "vitest";
import { trackedOrder } from "../../../testing/pages/tracked-order.ts";
import { mayChange } from "./live-order.ts";

const despatch = {
  despatchedOn: "2026-12-09",
  arrivalBy: "2026-12-14",
  missingFrom: "2026-12-31",
  closesOn: "2027-01-08",
  arrivedOn: null,
};
const posted = { ...trackedOrder, status: "Fulfilled", despatch } as const;

test("an order is followed until the certificate has arrived: another tab may report it", () => {
  expect(mayChange(trackedOrder)).toBe(true);
  expect(mayChange(posted)).toBe(true);
  const closed = { ...despatch, missingFrom: null, arrivedOn: "2026-12-11" };
  expect(mayChange({ ...posted, despatch: closed })).toBe(false);
  expect(mayChange({ ...posted, despatch: null })).toBe(false);
});
