import { expect, test } from "vitest";
import { createKnownNames } from "./known-names.ts";

function names() {
  const clock = { ms: 10_000 };
  const known = createKnownNames({
    nowMs: () => clock.ms,
    freshForMs: 100,
    rememberedForMs: 1_000,
    mostNames: 3,
  });
  return { clock, known, ids: ["a", "b", "c", "d"] };
}

test("A name is fresh for a while, remembered for longer, and then forgotten", () => {
  const { clock, known } = names();
  known.note("a", "Ann");
  known.note("b", null);
  clock.ms += 99;
  expect([...known.fresh(["a", "b", "c"])]).toEqual([
    ["a", "Ann"],
    ["b", null],
  ]);
  clock.ms += 1;
  expect(known.fresh(["a", "b"]).size).toBe(0);
  expect(known.remembered(["a"]).get("a")).toBe("Ann");
  clock.ms += 900;
  expect(known.remembered(["a"]).size).toBe(0);
});

test("The oldest names are evicted when the limit is exceeded", () => {
  const { known, ids } = names();
  for (const id of ["a", "b", "c"]) known.note(id, id);
  known.note("a", "again");
  known.note("d", "d");
  expect([...known.fresh(ids).keys()]).toEqual(["a", "c", "d"]);
  expect(known.fresh(["a"]).get("a")).toBe("again");
});
