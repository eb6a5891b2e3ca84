import { expect, test } from "vitest";
import { sameOriginPath } from "./paths.ts";

test.each([
  ["/accessadmin"],
  ["/accessadmin/orders?status=Pending&from=2026-01-01#top"],
  ["/"],
  ["/lookup?order=7K3M-Q9TX-2HVD4"],
])("%s is a path of ours", (path) => {
  expect(sameOriginPath(path, "/dashboard")).toBe(path);
});

test.each([
  null,
  "",
  "accessadmin",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  "/./\\evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,x",
  "%2F%2Fevil.example",
])("%j leads nowhere but to the usual place", (asked) => {
  expect(sameOriginPath(asked, "/dashboard")).toBe("/dashboard");
});
