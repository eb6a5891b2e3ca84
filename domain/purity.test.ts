import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** A clock, a die or the environment: none may be read in here. What they would say arrives in a command's metadata. */
const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bperformance\b|\brandomUUID\b|\bprocess\.|\bimport\.meta\b/;

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => [path, readFileSync(join(import.meta.dirname, path), "utf8")] as const);

describe("the domain", () => {
  it("is looked through as a whole", () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it.each(sources)("%s reads no clock, no die and no environment", (_, source) => {
    expect(impure.exec(source)).toBeNull();
  });

  it.each([
    "Date.now()",
    "new Date()",
    "new Date( )",
    "Math.random()",
    "process.env.HOME",
    "crypto.randomUUID()",
  ])("would be caught with %s (control)", (code) => {
    expect(impure.test(code)).toBe(true);
  });

  it.each(["new Date(at)", "Date.parse(at)", "Date.UTC(2026, 0, 1)"])("may say %s", (code) => {
    expect(impure.test(code)).toBe(false);
  });
});
