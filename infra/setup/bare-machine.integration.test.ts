import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { provideChromium, provideRedis } from "../../testing/setup/provide-programs.ts";
import { findChromium, packagedChromium } from "./find-chromium.ts";

// How npm test reports a machine that has only Node and npm.

afterEach(() => vi.unstubAllEnvs());

const nowhere = join(tmpdir(), "no-such-place");

describe("Redis on a machine without a Redis server", () => {
  it("is reported, with what to install, if there is no Docker either", async () => {
    vi.stubEnv("PATH", nowhere);
    expect(await provideRedis(async () => false)).toBe(
      "there is no redis-server on the PATH, and no Docker. Install it (Debian: apt-get install redis-server), or Docker",
    );
  });
});

describe("Chromium", () => {
  it("missing at CHROMIUM_PATH is reported, and no other is used", async () => {
    vi.stubEnv("CHROMIUM_PATH", nowhere);
    expect(findChromium()).toBeUndefined();
    expect(await provideChromium()).toBe(
      `CHROMIUM_PATH names ${nowhere}, which does not exist. Install one (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH`,
    );
  });

  it("comes from the package if there is one for the platform, before the system's, and starts with the package's libraries", async () => {
    vi.stubEnv("CHROMIUM_PATH", "");
    const packaged = packagedChromium();
    expect(packaged !== undefined).toBe(process.platform === "linux" && process.arch === "x64");
    if (packaged === undefined) return;
    expect(await provideChromium()).toBeUndefined();
    const program = findChromium() ?? "";
    expect(program).toBe(packaged.program());
    expect(execFileSync(program, ["--version"], { env: {}, encoding: "utf8" })).toMatch(/^Chromium \d+\./);
    for (const part of ["al2023/lib/libnss3.so", "fonts"])
      expect(existsSync(join(program, "..", part)), part).toBe(true);
  });
});
