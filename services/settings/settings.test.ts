import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { ConfigurationError, readConfig } from "../../infra/config/config.ts";
import { companyGivenBy, refuseUnidentified, settingsGivenBy } from "./settings.ts";

const identified = {
  COMPANY_NAME: "Kith and Copy Ltd",
  COMPANY_NUMBER: "01234567",
  COMPANY_REGISTERED_IN: "England and Wales",
  POSTAL_ADDRESS: "1 High Street, Nottingham, NG1 1AA",
  SUPPORT_EMAIL: "help@kithandcopy.co.uk",
};

const configOf = (values: Record<string, string>) => readConfig(values, tmpdir());
const start = (values: Record<string, string>) => () => {
  const config = configOf({ NODE_ENV: "production", ...values });
  refuseUnidentified(config, companyGivenBy(config));
};

describe("a start in production", () => {
  it("needs what the law demands, and names what is missing", () => {
    expect(start(identified)).not.toThrow();
    expect(start({})).toThrow(ConfigurationError);
    expect(start({})).toThrow(
      /COMPANY_NAME.*COMPANY_NUMBER.*COMPANY_REGISTERED_IN.*POSTAL_ADDRESS.*SUPPORT_EMAIL/,
    );
    expect(start({ ...identified, POSTAL_ADDRESS: "PO Box 1, NG1 1AA" })).toThrow(
      "Missing: a full postal address with its postcode (no PO box) (POSTAL_ADDRESS). Set each",
    );
  });

  it("does without where the sandbox is allowed, as development does", () => {
    expect(start({ ALLOW_SANDBOX: "1" })).not.toThrow();
    expect(start({ NODE_ENV: "development" })).not.toThrow();
    expect(settingsGivenBy(configOf({ NODE_ENV: "production" })).mustIdentify).toBe(true);
    expect(settingsGivenBy(configOf({})).mustIdentify).toBe(false);
  });
});

it("names the setting of each detail that is wrong", () => {
  const read = (values: Record<string, string>) => () => companyGivenBy(configOf(values));
  expect(read({ SUPPORT_TELEPHONE: "0871 123 4567" })).toThrow(/^SUPPORT_TELEPHONE: .*basic rate/);
  expect(read({ ...identified, COMPANY_REGISTERED_IN: "Scotland" })).toThrow(
    "COMPANY_REGISTERED_IN: A company numbered 01234567 is registered in England and Wales or Wales. Correct it",
  );
  expect(read({ SUPPORT_REPLY_WORKING_DAYS: "30" })).toThrow("SUPPORT_REPLY_WORKING_DAYS");
});
