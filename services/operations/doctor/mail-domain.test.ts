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

const look = async (resolver: Partial<MailResolver>) =>
  (await mailDomainCheck("help@example.com", { ...complete, ...resolver }).look()).map(
    ({ state, what }) => `${state}: ${what}`,
  );

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
