import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plants } from "./planted/plants.ts";

// In processes of their own: a simulation takes over time and chance.

const run = (...options: string[]) => {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "main.ts"), ...options],
    { encoding: "utf8", timeout: 300_000 },
  );
  return { status, said: stdout + stderr + (signal === null ? "" : `\nended by ${signal}`) };
};

test("A hundred seeds break no rule", () => {
  const { status, said } = run("--seeds", "100");
  expect(said).toContain("100 seeds from 1, 0 red");
  expect(status).toBe(0);
});

test("A seed tells the same story each time", () => {
  const [one, other] = [run("--seed", "11"), run("--seed", "11")].map(({ said }) =>
    said.split("\n").slice(0, -2),
  );
  expect(one?.length).toBeGreaterThan(30);
  expect(other).toEqual(one);
});

test.each(plants)("It is found when $words", ({ name, finds, from = 1 }) => {
  const { status, said } = run("--seeds", "1000", "--from", `${from}`, "--plant", name);
  expect(said).toContain(finds);
  expect(said).toContain(`planted: ${name}`);
  expect(status).toBe(0);
});
