import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findChromium, provideChromium } from "../../testing/setup/find-chromium.ts";
import { packagedChromium } from "../../testing/setup/packaged-chromium.ts";
import { provideRedis } from "./provide-redis.ts";

// What npm test says of a machine that has Node and npm and nothing else.

afterEach(() => vi.unstubAllEnvs());

const nowhere = join(tmpdir(), "no-such-place");

describe("Redis on a machine without a server of its own", () => {
  it("is named, with what to install, where there is no Docker either", async () => {
    vi.stubEnv("PATH", nowhere);
    expect(await provideRedis(async () => false)).toBe(
      "there is no redis-server on the PATH, and no Docker. Install it (Debian: apt-get install redis-server), or Docker",
    );
  });
});

describe("Chromium", () => {
  it("that CHROMIUM_PATH names and that is not there is named, and no other is taken", async () => {
    vi.stubEnv("CHROMIUM_PATH", nowhere);
    expect(findChromium()).toBeUndefined();
    expect(await provideChromium()).toBe(
      `CHROMIUM_PATH names ${nowhere}, which is not there. Install one (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH`,
    );
  });

  it("is the package's where there is one for the platform, before the system's, and starts with what the package brings", async () => {
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
