import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { openTestLog } from "../../testing/projections/test-log-fixture.ts";
import { createVersionUses, isInUse } from "./version-uses.ts";

it("is not registered again by a renewal that was under way when the process stopped", async () => {
  const log = await openTestLog();
  const [renewing, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = false;
  const pool = new Proxy(log.pool, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== "query" || typeof member !== "function") return member;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        if (isSlow && String(given[0]).startsWith("insert")) {
          renewing.resolve();
          await released.promise;
        }
        return Reflect.apply(member, target, given);
      };
    },
  });
  const version = { name: "order-list", version: 6 };
  const uses = createVersionUses({ pool, newId: randomUUID, everyMs: 10 }, [version]);
  await uses.begin();
  expect(await isInUse(log.pool, version)).toBe(true);
  isSlow = true;
  await renewing.promise;
  const ended = uses.end();
  await log.pool.query("select");
  released.resolve();
  await ended;
  await log.pool.query("select");
  expect(await isInUse(log.pool, version)).toBe(false);
  await log.end();
});
