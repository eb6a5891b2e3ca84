import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LineChart } from "./line-chart.tsx";

/** The path that a chart draws for these values, and the number at the top of its scale. */
function drawn(values: readonly (number | null)[]) {
  const chart = renderToStaticMarkup(
    createElement(LineChart, {
      ...{ title: "Orders", labelHeader: "Day", format: String },
      labels: values.map((_, day) => `day ${day}`),
      series: [{ name: "Paid", colour: "primary", values }],
    }),
  );
  return {
    path: /class="chart-line" d="([^"]*)"/.exec(chart)?.[1],
    top: Number(/tabular-nums"><span>(\d+)</.exec(chart)?.[1]),
  };
}

it("scales values to the height of the drawing", () => {
  expect(drawn([0, 5, 10]).path).toBe("M0,158L300,80L600,2");
});

it("leaves gaps for missing values, and draws an isolated value", () => {
  expect(drawn([0, 10, null, 10, 0]).path).toBe("M0,158L150,2M450,2L600,158");
  expect(drawn([null, 10, null]).path).toBe("M290,2L310,2");
  expect(drawn([null, null]).path).toBe("");
  expect(drawn([10]).path).toBe("M0,2L10,2");
});

it.each([
  [0, 1],
  [3, 5],
  [10, 10],
  [11, 20],
  [420, 500],
])("ends a scale for %d at %d", (most, top) => {
  expect(drawn([most]).top).toBe(top);
});
