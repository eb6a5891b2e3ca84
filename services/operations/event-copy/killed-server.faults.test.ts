import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { startFakeEventStoreDb } from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { write } from "../../../testing/infra/audit-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { ownSettings } from "../../../testing/system/own-settings.ts";

const streams = 150;
/** Each test runs the command once or twice. */
const patienceMs = 120_000;
let closing: AsyncDisposableStack;
let connectionString: string;
let file: string;
beforeEach(async () => {
  closing = new AsyncDisposableStack();
  ({ connectionString } = closing.adopt(await testDatabase(), (made) => made.drop()));
  const folder = temporaryFolder("copy");
  file = join(folder, "log");
});
afterEach(() => closing.disposeAsync());

function copy(from: "postgres" | "eventstore", to: "postgres" | "eventstore", url: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "--from", from, "--to", to], {
    ...ownSettings(temporaryFolder("command"), { DATABASE_URL: connectionString, EVENTSTORE_URL: url }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = async () => {
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    // Progress overwrites itself.
    return { said: out.trim(), complained: err.replaceAll(/\r[\d,]+ events/g, "").trim(), code };
  };
  return { ended: ended(), interrupt: () => child.kill("SIGINT") };
}

async function fillPostgres(): Promise<void> {
  const pool = createPool(connectionString);
  const store = createPostgresEventStore({ pool, connectionString });
  await Promise.all(Array.from({ length: streams }, (_, nth) => write(store, `thing-${nth}`, "A")));
  await store.close();
  await pool.end();
}

it(
  "reports in a sentence that the target server was killed, and resumes on the next run",
  async () => {
    await fillPostgres();
    const fake = await startFakeEventStoreDb({ file });
    const { ended } = copy("postgres", "eventstore", fake.url);
    await vi.waitFor(() => expect(fake.log.records.length).toBeGreaterThan(streams / 4), {
      ...soon,
      interval: 5,
    });
    await fake.stop();
    const held = fake.log.records.length;
    expect(held).toBeLessThan(streams);
    const { complained, code } = await ended;
    expect(complained).toMatch(
      /^A store became unavailable during the copy\. .+ run this again to continue\.$/,
    );
    expect(code).toBe(1);

    const back = closing.adopt(await startFakeEventStoreDb({ file, port: fake.port }), (made) => made.stop());
    const again = await copy("postgres", "eventstore", back.url).ended;
    expect(again).toMatchObject({ complained: "", code: 0 });
    expect(again.said).toContain(`Copied: ${streams} events`);
  },
  patienceMs,
);

it(
  "reports the same of the source server",
  async () => {
    await fillPostgres();
    const fake = await startFakeEventStoreDb({ file });
    await copy("postgres", "eventstore", fake.url).ended;
    ({ connectionString } = closing.adopt(await testDatabase(), (made) => made.drop()));
    const { ended } = copy("eventstore", "postgres", fake.url);
    const pool = closing.adopt(createPool(connectionString), (made) => made.end());
    await vi.waitFor(
      async () => {
        const { rows } = await pool.query<{ events: number }>("select count(*) as events from events");
        expect(rows[0]?.events).toBeGreaterThan(streams / 4);
      },
      { ...soon, interval: 5 },
    );
    await fake.stop();
    const { complained, code } = await ended;
    expect(complained).toMatch(
      /^A store became unavailable during the copy\. .+ run this again to continue\.$/,
    );
    expect(code).toBe(1);
  },
  patienceMs,
);

it(
  "ends with 1 when interrupted, and resumes on the next run",
  async () => {
    await fillPostgres();
    const fake = closing.adopt(await startFakeEventStoreDb({ file }), (made) => made.stop());
    const { ended, interrupt } = copy("postgres", "eventstore", fake.url);
    await vi.waitFor(() => expect(fake.log.records.length).toBeGreaterThan(streams / 4), {
      ...soon,
      interval: 5,
    });
    interrupt();
    expect(await ended).toMatchObject({ complained: "Interrupted: run it again to continue.", code: 1 });
    expect(fake.log.records.length).toBeLessThan(streams);
    expect(await copy("postgres", "eventstore", fake.url).ended).toMatchObject({ complained: "", code: 0 });
  },
  patienceMs,
);
