import { expect, it } from "vitest";
import { lastReason } from "./embedded-process.ts";

const line = (level: string, words: string) => `2026-11-29 22:09:59.505 UTC [4017] ${level}:  ${words}\n`;

it("finds the last reason of a server that ended", () => {
  const log = [
    line("FATAL", "could not open file"),
    line("PANIC", "could not write to file"),
    line("LOG", "abort"),
  ];
  expect(lastReason(log.join(""))).toBe("could not write to file");
});

it.each(["starting up", "not yet accepting connections", "in recovery mode", "shutting down"])(
  "takes no refusal of a connection for the reason of a killed server: %s",
  (state) => {
    const refusal =
      line("FATAL", `the database system is ${state}`) + line("DETAIL", "Consistent recovery state");
    expect(lastReason(refusal + line("LOG", "database system is ready to accept connections"))).toBe(
      undefined,
    );
    expect(lastReason(line("FATAL", "could not open file") + refusal)).toBe("could not open file");
  },
);
