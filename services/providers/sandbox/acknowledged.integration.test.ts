import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { ask, killServer } from "../../../testing/postgres/embedded-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { Deliveries } from "./deliveries.ts";
import { createSandboxSchema } from "./schema.ts";

test("The sandbox forgets nothing that it acknowledged when its database is killed", async () => {
  const directory = temporaryFolder("sandbox");
  // What does not wait for the disk stays in memory for ten seconds.
  const settings = ["fsync=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB"];
  const { connectionString, stop } = await startEmbedded({ directory, settings });
  onTestFinished(stop);
  const pool = createPool(connectionString);
  onTestFinished(() => pool.end());
  await createSandboxSchema(pool);
  const nowhere = { url: () => undefined, sign: () => ({}) };
  const deliveries = new Deliveries({
    pool,
    targets: { stripe: nowhere, gro: nowhere },
    now: () => new Date(),
    log: { error: () => undefined },
  });

  const add = (messageId: string) =>
    deliveries.transaction((client) =>
      deliveries.add(client, { target: "stripe", messageId, body: "{}", delayMs: 0 }),
    );
  await add("evt_1");
  killServer(directory);

  const kept = () => ask(connectionString, "select message_id from sandbox.deliveries");
  expect(await vi.waitFor(kept, soon)).toEqual([{ message_id: "evt_1" }]);
});
