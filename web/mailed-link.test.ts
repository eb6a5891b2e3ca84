import { expect, test } from "vitest";
import { keyIn, withoutKey } from "./mailed-link.ts";

test.each([
  ["/lookup?order=7K3M#key=t1.a-_Z", { use: "key", key: "t1.a-_Z" }],
  ["/lookup?order=7K3M&change=contact#key=t1.a", { use: "key", key: "t1.a" }],
  ["/lookup?order=7K3M&key=t1.a-_Z", { use: "key", key: "t1.a-_Z" }],
  ["/lookup?order=7K3M&key=old#key=new", { use: "key", key: "new" }],
  ["/lookup?order=7K3M#key=", { use: "key", key: "" }],
  ["/support/view#key=abc.def", { use: "key", key: "abc.def" }],
  ["/order/saved#delete=abc", { use: "delete", key: "abc" }],
  ["/lookup?order=7K3M", null],
  ["/lookup?order=7K3M#", null],
  ["/lookup?order=7K3M#order-number", null],
])("The key in %s is %j", (link, key) => {
  expect(keyIn(new URL(link, "https://copies.example"))).toEqual(key);
});

test.each([
  ["?order=7K3M-9QXT&key=t1.a", "order=7K3M-9QXT"],
  ["?key=t1.a&order=7K3M&change=contact", "order=7K3M&change=contact"],
  ["?order=7K3M&change=application", "order=7K3M&change=application"],
  ["", ""],
])("The query %j without its key is %j", (search, without) => {
  expect(withoutKey(search)).toBe(without);
});
