import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Figures } from "../../../../contract/back-office/overview.ts";
import { Sums } from "./figures.tsx";

const figures: Figures = {
  ...{ created: 4, paid: 3, payments: 3, submitted: 2 },
  ...{ revenuePence: 13_500, groFeesPence: 2_500, refunds: 1, refundedPence: 4_500, lostPence: 0 },
  ...{ medianSecondsToSubmission: 60, medianSecondsToPurge: 5, longestSecondsToPurge: 5 },
};
const textOf = (all: Figures) => renderToStaticMarkup(createElement(Sums, { all })).replace(/<[^>]+>/g, " ");

it("takes the GRO's fees, refunds and lost disputes off what is left", () => {
  expect(textOf(figures)).toMatch(/Refunded +£45 +1 refund +Net +£65 +after GRO fees, refunds and disputes/);
  expect(textOf({ ...figures, lostPence: 4_500 })).toMatch(
    /Refunded +£45 +1 refund, and £45 lost in disputes +Net +£20/,
  );
});
