import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { openTestLog } from "../../testing/projections/test-log-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { schemaOf } from "./projection.ts";
import { createVersionUses, unusedVersions } from "./version-uses.ts";

it("is not registered again by a renewal that was under way when the process stopped", async () => {
  const log = await openTestLog();
  const [renewing, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = false;
  let underWay = 0;
  const pool = new Proxy(log.pool, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== "query" || typeof member !== "function") return member;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        if (isSlow && JSON.stringify(given).includes("insert into read_model_uses")) {
          underWay += 1;
          renewing.resolve();
          await released.promise;
        }
        return Reflect.apply(member, target, given);
      };
    },
  });
  const version = { name: "order-list", version: 6 };
  await log.pool.query(`create schema ${schemaOf(version)}`);
  const unused = () => unusedVersions(log.pool, { ...version, version: 7 });
  const everyMs = 10;
  const uses = createVersionUses({ pool, newId: randomUUID, everyMs }, [version]);
  await uses.begin();
  expect(await unused()).toEqual([]);
  isSlow = true;
  await renewing.promise;
  const later = vi.fn();
  const interval = setInterval(later, everyMs);
  await vi.waitFor(() => expect(later.mock.calls.length).toBeGreaterThan(2), soon);
  clearInterval(interval);
  // Another one would be forgotten, and register the process after its end.
  expect(underWay).toBe(1);
  const ended = uses.end();
  await log.pool.query("select");
  released.resolve();
  await ended;
  await log.pool.query("select");
  expect(await unused()).toEqual([version.version]);
  await log.end();
});
