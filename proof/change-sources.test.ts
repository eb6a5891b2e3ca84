import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sourceFaults } from "./faults/planted.ts";
import { productFaults } from "./simulation/planted/product-faults.ts";

const changes = [...sourceFaults, ...productFaults].flatMap(({ name, changes = [] }) =>
  changes.map((change) => [name, change.file, change] as const),
);

it.each(changes)("The planted fault %s finds its place in %s", (_, file, { from }) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), "utf8").split(from)).toHaveLength(2);
});
