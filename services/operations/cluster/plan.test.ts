import { expect, test } from "vitest";
import { readConfig } from "../../../infra/config/config.ts";
import { planCluster } from "./plan.ts";

const shared = {
  databaseUrl: "postgres://localhost/certificates",
  redisUrl: undefined,
  publicUrl: "http://localhost:3000",
  port: 3000,
};

async function healthPorts(env: Record<string, string>): Promise<(readonly [string, number])[]> {
  const { roles } = await planCluster(readConfig(env, "/nowhere"), shared);
  return roles.map(({ name, env: { HEALTH_PORT } }) => [name, Number(HEALTH_PORT)] as const);
}

test("Each process of a cluster serves its metrics on the port after the previous one's", async () => {
  expect(await healthPorts({ HEALTH_PORT: "9100" })).toEqual([
    ["sandbox", 9100],
    ["projections-1", 9101],
    ["worker-1", 9102],
    ["gateway-1", 9103],
    ["projections-2", 9104],
    ["worker-2", 9105],
    ["gateway-2", 9106],
  ]);
});

test("Without a base port, each process takes a free one", async () => {
  const ports = (await healthPorts({})).map(([, port]) => port);
  expect(new Set(ports).size).toBe(7);
  expect(ports.every((port) => port > 0)).toBe(true);
});

test("One worker of a cluster takes mail in, where the sandbox returns it; both send with return addresses", async () => {
  const { roles } = await planCluster(readConfig({}, "/nowhere"), shared);
  const settingsOf = (role: string) => {
    const { MAIL_IN_URL, MAIL_IN_ADDRESS } = roles.find(({ name }) => name === role)?.env ?? {};
    return { url: MAIL_IN_URL, address: MAIL_IN_ADDRESS };
  };
  const { url, address } = settingsOf("worker-1");
  expect(url).toMatch(/^lmtp:\/\/127\.0\.0\.1:\d+$/);
  expect(settingsOf("sandbox").url).toBe(url);
  expect(settingsOf("worker-2")).toEqual({ url: "", address });
});
