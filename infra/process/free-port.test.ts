import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test("No port is given out twice, even before anything listens on it", async () => {
  const ports = [];
  for (let n = 0; n < 400; n += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(400);
});
