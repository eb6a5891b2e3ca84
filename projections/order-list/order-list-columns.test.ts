import { expect, it } from "vitest";
import { phases } from "../../domain/order/phases.ts";
import { statusOf } from "../../domain/order/status.ts";
import { certificateType, serviceLevel } from "../../domain/order/vocabulary.ts";
import { cellAt, cellOf, cellsOf } from "./order-list-columns.ts";

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

it("gives phase and choice of a cell back", () => {
  for (const { phase, choice, cell } of all) expect(cellAt(cell)).toEqual({ phase, choice });
  expect(() => cellAt(-1)).toThrow(RangeError);
  expect(() => cellAt(all.length)).toThrow(RangeError);
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
