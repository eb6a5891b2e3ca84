import { expect, it } from "vitest";
import { phases } from "../../domain/order/phases.ts";
import { statusOf } from "../../domain/order/status.ts";
import { certificateType, serviceLevel } from "../../domain/order/vocabulary.ts";
import { cellOf, cellsOf, type EntryRow, entryOf } from "./order-list-columns.ts";

const choices = [
  null,
  ...certificateType.options.flatMap((type) =>
    serviceLevel.options.map((level) => ({ certificateType: type, serviceLevel: level })),
  ),
];
const all = phases.flatMap((phase) =>
  choices.map((choice) => ({ phase, choice, cell: cellOf(phase, choice) })),
);

it("gives each combination a distinct cell, and treats no filter as all of them", () => {
  expect(new Set(all.map(({ cell }) => cell)).size).toBe(phases.length * choices.length);
  expect(cellsOf({})).toEqual(all.map(({ cell }) => cell));
  expect(cellsOf({ phases: [], statuses: [] })).toEqual(cellsOf({}));
});

it("gives phase and choice of a cell back in an order's line", () => {
  const at = new Date("2026-11-21T09:30:00.000Z");
  const row: Omit<EntryRow, "cell"> = {
    ...{ key: "an-order", order_number: "7K3M-Q9TX-2HVD4", copies: 1, total_pence: 4500 },
    ...{ created_at: at, updated_at: at, paid_at: at, despatch_by: "2026-12-10" },
    ...{ awaited_by: null, stuck_at: null, purge_since: null, checkout_id: null },
    ...{
      refund_unassigned: false,
      refund_pending: false,
      refund_proposed: false,
      refund_failed: false,
      over_refunded: false,
    },
    ...{ gro_question: false, purge_failed: false, contradiction: false },
    ...{ undelivered: false, dispute_open: false },
  };
  const none = { certificateType: null, serviceLevel: null };
  for (const { phase, choice, cell } of all)
    expect(entryOf({ ...row, cell })).toMatchObject({ phase, ...(choice ?? none) });
  expect(() => entryOf({ ...row, cell: -1 })).toThrow(RangeError);
  expect(() => entryOf({ ...row, cell: all.length })).toThrow(RangeError);
});

it("finds the cells that match every part of a filter", () => {
  const filter = {
    statuses: ["Processing", "Failed"],
    certificateTypes: ["Death"],
    serviceLevels: ["priority"],
  } as const;
  const expected = all.filter(
    ({ phase, choice }) =>
      ["Processing", "Failed"].includes(statusOf(phase)) &&
      choice?.certificateType === "Death" &&
      choice.serviceLevel === "priority",
  );
  expect(cellsOf(filter)).toEqual(expected.map(({ cell }) => cell));
  expect(cellsOf({ ...filter, phases: ["Paid"] })).toEqual([
    cellOf("Paid", { certificateType: "Death", serviceLevel: "priority" }),
  ]);
  expect(cellsOf({ statuses: ["Pending"], phases: ["Fulfilled"] })).toEqual([]);
});
