import { expect, test } from "vitest";
import { type MailResolver, mailDomainCheck } from "./mail-domain.ts";

const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
const complete: MailResolver = {
  resolveMx: async () => [{ exchange: "mx.example.com", priority: 10 }],
  resolveTxt: async (name) => [
    [name.startsWith("_dmarc") ? "v=DMARC1; p=none" : "v=spf1 mx ", "-all"],
    ["other"],
  ],
};

const look = async (resolver: Partial<MailResolver>, dkimSelector?: string) =>
  (
    await mailDomainCheck({ address: "help@example.com", dkimSelector }, { ...complete, ...resolver }).look()
  ).map(({ state, what }) => `${state}: ${what}`);

test("A domain that is complete has three findings, all well", async () => {
  expect(await look({})).toEqual([
    "ok: example.com takes mail by mx.example.com",
    "ok: example.com has SPF: servers that may send its mail",
    "ok: _dmarc.example.com has DMARC: what becomes of forged mail",
  ]);
});

test.each<[string, Partial<MailResolver>, string]>([
  ["no such name", { resolveMx: fails("ENOTFOUND") }, "has no MX"],
  ["a null MX", { resolveMx: async () => [{ exchange: "", priority: 0 }] }, "has no MX"],
  ["no TXT", { resolveTxt: fails("ENODATA") }, "lacks SPF"],
  ["no DMARC", { resolveTxt: async () => [["v=spf1 -all"]] }, "lacks DMARC"],
  ["two SPF records", { resolveTxt: async () => [["v=spf1 mx"], ["v=spf1 -all"]] }, "has 2 records"],
  ["a DNS server that is silent", { resolveMx: fails("ETIMEOUT") }, "could not be asked for"],
])("With %s there is a warning", async (_, resolver, words) => {
  expect((await look(resolver)).filter((line) => line.startsWith("warning"))).toContainEqual(
    expect.stringContaining(words),
  );
});

test.each<[string, MailResolver["resolveTxt"], string]>([
  ["its key", async () => [["v=DKIM1; k=rsa; p=MIIB", "IjAN"]], "ok: NAME has DKIM: the key"],
  ["a key and nothing else", async () => [["p=MIIBIjAN"]], "ok: NAME has DKIM: the key"],
  ["no record", fails("ENODATA"), "warning: NAME lacks DKIM's key"],
  ["another record", async () => [["v=spf1 -all"]], "warning: NAME lacks DKIM's key"],
  ["a revoked key", async () => [["v=DKIM1; p="]], "warning: NAME has a DKIM key that is revoked"],
  ["two keys", async () => [["p=MIIB"], ["p=MIIC"]], "warning: NAME has 2 keys"],
  ["a silent server", fails("ETIMEOUT"), "warning: the TXT records of NAME could not be asked for"],
])("DKIM is looked up under its selector: %s", async (_, answer, words) => {
  const name = "mail2026._domainkey.example.com";
  const resolveTxt: MailResolver["resolveTxt"] = (asked) =>
    asked === name ? answer(asked) : complete.resolveTxt(asked);
  expect((await look({ resolveTxt }, "mail2026")).at(-1)).toContain(words.replace("NAME", name));
});
