import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { ConfigurationError, readConfig } from "./config.ts";
import { providerEnvironment } from "./provider-settings.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("config");
});

describe("configuration", () => {
  it("needs nothing: every setting has a default", () => {
    expect(readConfig({}, folder)).toMatchObject({
      PORT: 3000,
      SANDBOX_CARD_PORT: 3001,
      DATA_DIR: join(folder, ".data"),
      KEY_DIR: join(folder, ".keys"),
      DATABASE_URL: undefined,
      PURGE_AFTER_SECONDS: 5,
      UNPAID_EXPIRES_AFTER_SECONDS: 86_400,
      CONTACT_RETENTION_DAYS: 365,
      ADMIN_USERNAMES: [],
      LOG_LEVEL: "info",
    });
  });

  it("reads .env, overridden by the environment", () => {
    writeFileSync(join(folder, ".env"), "PORT=4000\nLOG_LEVEL=debug\n");
    expect(readConfig({ PORT: "5000" }, folder)).toMatchObject({ PORT: 5000, LOG_LEVEL: "debug" });
  });

  it("takes managers' exact names, trimmed", () => {
    expect(readConfig({ ADMIN_USERNAMES: " ann , bob,, " }, folder).ADMIN_USERNAMES).toEqual(["ann", "bob"]);
  });

  it("takes witnesses with their addresses, and two thirds of them as the quorum", () => {
    const key = "witness.example+1a2b3c4d+BAUGBwg=";
    const quorumOf = (WITNESSES: string) => readConfig({ WITNESSES }, folder).WITNESS_QUORUM;
    const three = [1, 2, 3].map((each) => `${key} https://w${each}.example/`).join(", ");
    expect(readConfig({ WITNESSES: three }, folder).WITNESSES.at(-1)).toEqual({
      key,
      address: "https://w3.example",
    });
    expect([quorumOf(""), quorumOf(`${key} http://one.example`), quorumOf(three)]).toEqual([0, 1, 2]);
    expect(() => readConfig({ WITNESSES: three, WITNESS_QUORUM: "4" }, folder)).toThrow("names 3");
  });

  it("treats an empty value as missing", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: "" }, folder)).toMatchObject({
      PORT: 3000,
      DATABASE_URL: undefined,
    });
  });

  it.each([
    ["PORT", "eighty", 'PORT is "eighty" but must be a whole number from 0 to 65535'],
    ["PORT", "65536", 'PORT is "65536" but must be a whole number from 0 to 65535'],
    ["PURGE_AFTER_SECONDS", "91", 'PURGE_AFTER_SECONDS is "91" but must be a whole number from 0 to 90'],
    ["UNPAID_EXPIRES_AFTER_SECONDS", "-1", "UNPAID_EXPIRES_AFTER_SECONDS"],
    ["DATABASE_URL", "mysql://somewhere", "must be an address that starts with postgres:// or postgresql://"],
    [
      "EVENTSTORE_URL",
      "http://somewhere:2113",
      "must be an address that starts with esdb:// or esdb+discover://",
    ],
    ["EVENTSTORE_URL", "esdb://one:2113,two words:2113", "must be an address that starts with esdb://"],
    ["REDIS_URL", "localhost:6379", "REDIS_URL must be an address that starts with redis:// or rediss://"],
    ["PUBLIC_URL", "example.com", "must be an address that starts with http:// or https://"],
    ["WITNESSES", "witness.example https://witness.example", "each its verifier key, a space, and"],
    ["LOG_LEVEL", "loud", "must be silent, error, warn, info or debug"],
    ["SUPPORT_EMAIL", "nobody", "must be an email address"],
  ])("rejects %s=%s with a sentence that says why and how to fix it", (name, value, reason) => {
    const read = () => readConfig({ [name]: value }, folder);
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(reason);
    expect(read).toThrow("correct it in the environment or in .env (see .env.example).");
  });

  it.each([
    "esdb://host:2113",
    "esdb+discover://user:password@host:2113",
    "esdb://user:pass%40word@one:2113,two:2113,three:2113?nodePreference=leader",
  ])("accepts %s as an event store, single node or cluster", (address) => {
    expect(readConfig({ EVENTSTORE_URL: address }, folder).EVENTSTORE_URL).toBe(address);
  });

  it("does not repeat an address that may hold a password", () => {
    expect(() => readConfig({ DATABASE_URL: "mysql://user:opensesame@host/x" }, folder)).toThrow(
      /^(?!.*opensesame).*DATABASE_URL must be an address/,
    );
  });

  it("names every wrong setting at once", () => {
    expect(() => readConfig({ PORT: "x", LOG_LEVEL: "y" }, folder)).toThrow(/PORT[\s\S]*LOG_LEVEL/);
  });

  it.each([
    { DATA_DIR: ".data", KEY_DIR: ".data/keys" },
    { DATA_DIR: ".keys/data", KEY_DIR: ".keys" },
    { DATA_DIR: "same", KEY_DIR: "same" },
    { DATA_DIR: ".data", KEY_MIRROR_DIR: ".data/mirror" },
  ])("refuses keys that a copy of the data would include: %o", (values) => {
    expect(() => readConfig(values, folder)).toThrow("must not be inside one another");
  });

  it("refuses a card frame on the page's own origin", () => {
    expect(() => readConfig({ PORT: "4000", SANDBOX_CARD_PORT: "4000" }, folder)).toThrow(
      "must be another origin",
    );
  });

  it("exports traces only when an endpoint is set, with all its options", () => {
    expect(readConfig({}, folder).tracing).toEqual({
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      OTEL_EXPORTER_OTLP_HEADERS: undefined,
      OTEL_SERVICE_NAME: "certificates",
      OTEL_TRACES_SAMPLER_ARG: 1,
    });
    const config = readConfig(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%2Cb=,x-tenant=one",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
      },
      folder,
    );
    expect(config.tracing).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp",
      OTEL_EXPORTER_OTLP_HEADERS: { "x-key": "a,b=", "x-tenant": "one" },
      OTEL_TRACES_SAMPLER_ARG: 0.25,
    });
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "user:opensesame@host" },
      "OTEL_EXPORTER_OTLP_ENDPOINT must be an address",
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "a-secret" }, "OTEL_EXPORTER_OTLP_HEADERS must be pairs"],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "x-key=50%" }, "OTEL_EXPORTER_OTLP_HEADERS has a % that is not encoded"],
    [{ OTEL_TRACES_SAMPLER_ARG: "2" }, "must be a number from 0 to 1"],
  ])("refuses unusable trace settings: %o", (values, words) => {
    expect(() => readConfig(values, folder)).toThrow(words);
  });

  it("is explained setting by setting in .env.example", () => {
    const example = readFileSync(join(import.meta.dirname, "..", "..", ".env.example"), "utf8");
    const explained = [...example.matchAll(/^# ?([A-Z][A-Z_]+)=/gm)].map((match) => match[1]);
    const { providers, tracing, ...own } = readConfig({}, folder);
    expect(providers).toEqual({
      stripe: undefined,
      clerk: undefined,
      smtp: undefined,
      mailIn: undefined,
      scanner: undefined,
      automation: undefined,
      submissionByHand: false,
    });
    expect([...explained].sort()).toEqual(
      Object.keys({
        ...own,
        ...tracing,
        ...providerEnvironment.shape,
        KEY_MIRROR_DIR: "",
        PUBLIC_URL: "",
      }).sort(),
    );
  });
});
