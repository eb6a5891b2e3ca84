import { describe, expect, it } from "vitest";
import { addressOf } from "./client-address.ts";

describe("a client is counted by", () => {
  it.each([
    ["its IPv4 address", "192.0.2.1", "192.0.2.1"],
    ["the same where it comes by IPv6", "::ffff:192.0.2.1", "192.0.2.1"],
    ["its IPv6 network", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["the same where zeros are left out", "2001:db8::1", "2001:db8:0:0"],
    ["its IPv4 address without the port", "192.0.2.1:50312", "192.0.2.1"],
    ["its IPv6 network without the port", "[2001:db8:1:2::1]:50312", "2001:db8:1:2"],
    ["the same without brackets", "[2001:db8:1:2::1]", "2001:db8:1:2"],
    ["its mapped address without the port", "[::ffff:192.0.2.1]:443", "192.0.2.1"],
  ])("%s: %s", (_, text, counted) => {
    expect(addressOf(text)).toBe(counted);
  });

  it.each([
    "",
    "unknown",
    "_hidden7",
    "a.example:50312",
    "192.0.2.999",
    "192.0.2.1:port",
    "192.0.2.1 50312",
    "[192.0.2.1",
    "2001:db8:::1",
  ])("what all share whose address is none: %s", (text) => {
    expect(addressOf(text)).toBe("unknown");
  });
});
