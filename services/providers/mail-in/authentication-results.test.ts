import { expect, test } from "vitest";
import { authenticationOf } from "./authentication-results.ts";

const server = "mx.example.com";
const received = (by: string) => ({
  key: "received",
  value: `from client.example (client [192.0.2.1]) by ${by} with ESMTP; Fri`,
});
const results = (value: string) => ({ key: "authentication-results", value });
const all = `${server}; spf=pass smtp.mailfrom=example.org; dkim=pass header.d=example.org; dmarc=fail (p=none)`;
const found = { spf: "pass", dkim: "pass", dmarc: "fail" };

test.each([
  ["above its Received", [results(all), received(server)]],
  ["below its Received", [received(server), results(all), received("client.example")]],
  ["below a hop of its own", [received(`in.${server}`), received(server), results(all)]],
  ["in capitals, with a version", [results(all.replace(server, "MX.Example.com 1"))]],
  ["below another server's", [results("other.example; spf=fail"), results(all)]],
])("The server's results count %s", (_, headers) => {
  expect(authenticationOf(headers, server)).toEqual(found);
});

test.each([
  ["below a Received of another server", [received("client.example"), results(all)]],
  ["of another server", [results(all.replace(server, "mx.evil.example"))]],
  ["of a server whose name begins the same", [results(all.replace(server, `${server}.evil.example`))]],
  ["in a comment", [results(`mx.evil.example (${all})`)]],
  ["that are not there", [received(server)]],
])("No results count %s", (_, headers) => {
  expect(authenticationOf(headers, server)).toBeNull();
});

test("Of two results by the server the upper one counts: the lower one may have come with the mail", () => {
  expect(
    authenticationOf([results(`${server}; dmarc=fail`), results(`${server}; dmarc=pass`)], server),
  ).toEqual({
    spf: "none",
    dkim: "none",
    dmarc: "fail",
  });
});

test("Nothing counts without a named server", () => {
  expect(authenticationOf([results(all)], undefined)).toBeNull();
});

test.each([
  ["spf=softfail; dkim=neutral; dmarc=temperror", { spf: "none", dkim: "none", dmarc: "none" }],
  ["dkim=fail; dkim=pass (2048-bit key)", { spf: "none", dkim: "pass", dmarc: "none" }],
  ['spf=fail smtp.mailfrom="a; dmarc=pass"; dkim=fail', { spf: "fail", dkim: "fail", dmarc: "none" }],
  [
    "spf=fail (a comment; dmarc=pass (and one in it)); dkim=pass",
    { spf: "fail", dkim: "pass", dmarc: "none" },
  ],
  ["none", { spf: "none", dkim: "none", dmarc: "none" }],
])("%s", (clauses, expected) => {
  expect(authenticationOf([results(`${server}; ${clauses}`)], server)).toEqual(expected);
});
