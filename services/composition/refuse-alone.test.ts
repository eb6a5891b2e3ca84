import { describe, expect, it } from "vitest";
import { readConfig } from "../../infra/config/config.ts";
import { refuseAlone, refuseOwnSandbox } from "./refuse-alone.ts";

const config = (settings: Record<string, string>) => readConfig(settings, import.meta.dirname);
const database = { DATABASE_URL: "postgres://localhost/orders" };

describe("a process by itself", () => {
  it("is refused on the embedded database, which it could not share", () => {
    expect(() => refuseAlone(config({}), "A worker by itself")).toThrow(
      /^A worker by itself shares its database .* set DATABASE_URL, and KEY_DIR/,
    );
    expect(() => refuseAlone(config(database), "A worker by itself")).not.toThrow();
  });

  it("is refused with a sandbox of its own, by the names of what that stands in for", () => {
    expect(() => refuseOwnSandbox(config(database), "A gateway by itself")).toThrow(
      /a sandbox stands in for payments, submission, mail: .* set SANDBOX_URL/,
    );
    const elsewhere = config({ ...database, SANDBOX_URL: "http://127.0.0.1:3010" });
    expect(() => refuseOwnSandbox(elsewhere, "A gateway by itself")).not.toThrow();
  });
});

describe("the sandbox's ports", () => {
  it("stand beside its own address, where it has one", () => {
    const { SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT } = config({ SANDBOX_URL: "http://127.0.0.1:3010/" });
    expect([SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT]).toEqual([3011, 3012]);
  });

  it("stand beside the product's otherwise", () => {
    const { SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT } = config({ PORT: "3000" });
    expect([SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT]).toEqual([3001, 0]);
  });
});
