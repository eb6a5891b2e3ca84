import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAnyLog, openLog } from "./open-log.ts";

it.each([openLog, openAnyLog])("%o makes no database for a command that looks at one", async (open) => {
  const DATA_DIR = join(import.meta.dirname, "misspelt");
  await expect(
    open({ DATA_DIR, DATABASE_URL: undefined, EVENTSTORE_URL: undefined }, { beside: true }),
  ).rejects.toThrow(`${DATA_DIR} holds no database`);
  expect(existsSync(DATA_DIR)).toBe(false);
});

it("makes none for a command that stops the product either", async () => {
  const DATA_DIR = join(import.meta.dirname, "misspelt");
  await expect(openAnyLog({ DATA_DIR, DATABASE_URL: undefined, EVENTSTORE_URL: undefined })).rejects.toThrow(
    `${DATA_DIR} holds no database`,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
});
