import { expect, it } from "vitest";
import { cellOf } from "../../domain/order/phases.ts";
import { walkDecider } from "./walk.ts";

const short = { commands: 20_000, seed: 20_261_125 };

it("The decider answers as the model does, whatever is asked of an order in any phase", () => {
  const { findings, visited, pairs, accepted, commands } = walkDecider(short);
  expect(findings).toEqual([]);
  expect(visited).toBe(pairs);
  expect(commands).toBeGreaterThanOrEqual(short.commands);
  expect(accepted).toBeGreaterThan(commands / 3);
});

it("It is found when a phase takes a command that the model refuses", () => {
  const stricter: typeof cellOf = (type, phase) =>
    type === "CancelOrder" && phase === "Confirmed" ? "already-submitted" : cellOf(type, phase);
  const { findings } = walkDecider(short, stricter);
  expect(findings).toContain("CancelOrder in Confirmed: was accepted instead of already-submitted");
});
