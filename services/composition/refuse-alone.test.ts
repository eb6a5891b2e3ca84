import { describe, expect, it } from "vitest";
import { readConfig } from "../../infra/config/config.ts";
import { refuseAlone, refuseOwnSandbox } from "./refuse-alone.ts";

const config = (settings: Record<string, string>) => readConfig(settings, import.meta.dirname);
const database = { DATABASE_URL: "postgres://localhost/orders" };

describe("a standalone process", () => {
  it("is refused on the embedded database, which cannot be shared", () => {
    expect(() => refuseAlone(config({}), "A standalone worker")).toThrow(
      /^A standalone worker shares its database .* set DATABASE_URL, and KEY_DIR/,
    );
    expect(() => refuseAlone(config(database), "A standalone worker")).not.toThrow();
  });

  it("is refused with an embedded sandbox, naming the sandboxed providers", () => {
    expect(() => refuseOwnSandbox(config(database), "A standalone gateway")).toThrow(
      /would use a sandbox of its own for payments, submission, mail: .* set SANDBOX_URL/,
    );
    const elsewhere = config({ ...database, SANDBOX_URL: "http://127.0.0.1:3010" });
    expect(() => refuseOwnSandbox(elsewhere, "A standalone gateway")).not.toThrow();
  });
});

describe("the sandbox's ports", () => {
  it("are relative to its own address, if it has one", () => {
    const { SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT } = config({ SANDBOX_URL: "http://127.0.0.1:3010/" });
    expect([SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT]).toEqual([3011, 3012]);
  });

  it("are relative to the product's otherwise", () => {
    const { SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT } = config({ PORT: "3000" });
    expect([SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT]).toEqual([3001, 0]);
  });
});
