import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { ownSettings } from "./own-settings.ts";

const root = join(import.meta.dirname, "..", "..");
/** Every setting that an operator may have, explained or commented out. */
const settings = [
  ...new Set(
    [...readFileSync(join(root, ".env.example"), "utf8").matchAll(/^#?\s*([A-Z][A-Z_0-9]+)=/gm)].map(
      ([, name = ""]) => name,
    ),
  ),
];

afterEach(() => vi.unstubAllEnvs());

it("hands on no setting of the caller", () => {
  expect(settings).toEqual(
    expect.arrayContaining(["DATABASE_URL", "KEY_DIR", "SMTP_URL", "STRIPE_SECRET_KEY", "CLERK_SECRET_KEY"]),
  );
  for (const name of [...settings, "NODE_OPTIONS"]) vi.stubEnv(name, "of-the-operator");
  const { cwd, env } = ownSettings("/its/folder", { PORT: "0" });
  expect(cwd).toBe("/its/folder");
  const ofTheMachine = ["NODE_COMPILE_CACHE", "PATH", "TMPDIR"];
  expect(Object.keys(env).toSorted()).toEqual(
    [...ofTheMachine, "NODE_ENV", "NODE_NO_WARNINGS", "PORT"].toSorted(),
  );
  expect(env).toMatchObject({ NODE_ENV: "test", PORT: "0" });
});
