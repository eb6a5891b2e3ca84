import { expect, it } from "vitest";
import { niceTop, pathOf } from "./line-chart.tsx";

it("scales values to the height of the drawing", () => {
  expect(pathOf([0, 5, 10], 10)).toBe("M0,158L300,80L600,2");
});

it("leaves gaps for missing values, and draws an isolated value", () => {
  expect(pathOf([0, 10, null, 10, 0], 10)).toBe("M0,158L150,2M450,2L600,158");
  expect(pathOf([null, 10, null], 10)).toBe("M290,2L310,2");
  expect(pathOf([null, null], 10)).toBe("");
  expect(pathOf([10], 10)).toBe("M0,2L10,2");
});

it.each([
  [0, 1],
  [3, 5],
  [10, 10],
  [11, 20],
  [420, 500],
])("ends a scale for %d at %d", (most, top) => {
  expect(niceTop(most)).toBe(top);
});
