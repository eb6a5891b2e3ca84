import fc from "fast-check";
import { expect, it } from "vitest";
import { chosenIn, walks } from "../../../testing/domain/order-arbitraries.ts";
import { orderOf, walkThrough } from "../../../testing/domain/order-walk.ts";
import { feePerCopyOf } from "../../pricing/price-list.ts";
import type { OrderCommand } from "../commands.ts";

const isChange = (command: OrderCommand) =>
  command.type === "AmendApplication" || command.type === "ReplaceApplication";

it("Whatever happens to an order, its fees are those of the application that stands, within the chosen price", () => {
  let changed = 0;
  fc.assert(
    fc.property(walks, (path) => {
      walkThrough(path, (walk, command, _, next) => {
        const { variant } = orderOf(next);
        const chosen = chosenIn(next.log);
        if (variant === null || chosen === null) return;
        const { unitPricePence, groReferenceKnown } = chosen;
        const feePerCopy = feePerCopyOf(unitPricePence, variant.serviceLevel, groReferenceKnown);
        expect(variant).toMatchObject({ ...chosen, feePerCopy });
        if (next.log.length > walk.log.length && isChange(command))
          expect(variant.groReferenceKnown).toBe(command.data.groReferenceKnown);
        const before = orderOf(walk).variant;
        if (command.type !== "AddVariant" && before?.groReferenceKnown !== groReferenceKnown) changed += 1;
      });
    }),
    { numRuns: 300 },
  );
  expect(changed, "Some walks add or remove a reference, else they would prove little").toBeGreaterThan(0);
});
