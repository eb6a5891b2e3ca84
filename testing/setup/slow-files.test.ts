import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../infra/setup/steps.ts";
import { listedFiles, tooSlow } from "./slow-files.ts";

const listed = { "a.test.ts": 90_000, "b.test.ts": 60_000, "c.test.ts": 40_000 };
const times = (pace: number) =>
  Object.fromEntries(Object.entries(listed).map(([file, ms]) => [file, ms * pace]));

it("names a file that took more than 20 s and is not listed", () => {
  expect(tooSlow({ ...times(0.1), "new.test.ts": 21_000, "quick.test.ts": 19_000 }, listed)).toEqual([
    "new.test.ts took 21 s, and at most 20 s are allowed in this run: shorten it, or list it in testing/README.md with what takes its time.",
  ]);
});

it("lets a listed file take longer", () => {
  expect(tooSlow({ ...times(1), "a.test.ts": 900_000 }, listed)).toEqual([]);
});

it("allows three times as much as the shortest listed file on a slow machine, by the median", () => {
  const slowly = { ...times(2), "a.test.ts": 900_000 };
  expect(tooSlow({ ...slowly, "new.test.ts": 239_000 }, listed)).toEqual([]);
  expect(tooSlow({ ...slowly, "new.test.ts": 241_000 }, listed)).toHaveLength(1);
});

it("allows 20 s where no listed file ran", () => {
  expect(tooSlow({ "new.test.ts": 19_000 }, listed)).toEqual([]);
  expect(tooSlow({ "new.test.ts": 21_000 }, listed)).toHaveLength(1);
});

it("finds in testing/README.md the thirty slowest files, each of which is there", () => {
  const files = Object.keys(listedFiles(readFileSync(join(root, "testing", "README.md"), "utf8")));
  expect(files).toHaveLength(30);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
