import { expect, it } from "vitest";
import { hostForPrograms } from "./addresses.ts";

it.each([
  ["127.0.0.1", "127.0.0.1"],
  ["localhost", "127.0.0.1"],
  ["::1", "::1"],
  ["sandbox", "0.0.0.0"],
  ["192.0.2.7", "0.0.0.0"],
])(
  "a sandbox with address %s listens for programs on %s, although its card fields are public",
  (host, listens) => {
    expect(hostForPrograms("0.0.0.0", { api: { host, port: 3010 } })).toBe(listens);
  },
);
