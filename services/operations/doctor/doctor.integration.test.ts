import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../infra/config/config.ts";
import { openKeyRing } from "../../../infra/key-ring/file-key-ring.ts";
import { openBoundSecrets } from "../../../infra/key-ring/installation-secrets.ts";
import { segmentBytes } from "../../../infra/key-ring/segment-folder.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { freePort } from "../../../infra/process/free-port.ts";
import { startFakeEventStoreDb } from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { taskRules } from "../../policies/work/work-table.ts";
import { lookAtInstallation } from "./doctor.ts";
import { type Finding, lineOf } from "./findings.ts";

/** A separate installation for each test: a database, keys and their mirror, as after a first start. */
let folder: string;
let env: Record<string, string>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let server: Server | undefined;

beforeEach(async () => {
  folder = temporaryFolder("doctor");
  database = await testDatabase();
  env = {
    DATABASE_URL: database.connectionString,
    DATA_DIR: join(folder, "data"),
    KEY_DIR: join(folder, "keys"),
    KEY_MIRROR_DIR: join(folder, "mirror"),
    PORT: String(await freePort()),
  };
  mkdirSync(join(folder, "mirror"), { mode: 0o700 });
  const directory = join(folder, "keys");
  const pool = createPool(database.connectionString, 1);
  const config = { KEY_DIR: directory, KEY_MIRROR_DIR: env.KEY_MIRROR_DIR, ACCEPT_NEW_KEYS: undefined };
  await openBoundSecrets(config, pool, { warn: () => undefined });
  await pool.end();
  const ring = await openKeyRing({ directory, mirror: env.KEY_MIRROR_DIR, now: () => new Date() });
  (await ring.take()).key.fill(0);
});
afterEach(async () => {
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
  server = undefined;
  await database.drop();
});

const settings = (changes: Record<string, string> = {}) => readConfig({ ...env, ...changes }, folder);

async function look(
  changes: Record<string, string> = {},
  now = () => new Date(),
): Promise<readonly Finding[]> {
  return lookAtInstallation({ online: false, now, settings: () => settings(changes) });
}

/** Findings about this checkout, a single disk, and the test server, which is not durable and has only its superuser. */
const always: readonly string[] = ["packages", "pages", "key mirror", "database settings", "database role"];

/** Findings other than ok, without those that every test has. */
const complaintsOf = (findings: readonly Finding[]): string[] =>
  findings.filter(({ about, state }) => state !== "ok" && !always.includes(about)).map(lineOf);

async function sql(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

function listenAs(answer: object | string): Promise<void> {
  server = createServer((_request, response) => {
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return new Promise((done) => server?.listen(Number(env.PORT), "127.0.0.1", done));
}

describe("The doctor", () => {
  test("finds nothing wrong with an intact installation, and changes nothing", async () => {
    const before = filesOf(folder);
    const findings = await look();
    expect(complaintsOf(findings)).toEqual([]);
    const known = new Map(findings.map(({ about, what }) => [about, what]));
    expect(known.get("database")).toMatch(/^answers, Postgres \d+/);
    expect(known.get("schema")).toBe("up to date");
    expect(known.get("keys")).toBe("the folder that this database is bound to");
    expect(known.get("database role")).toBe("postgres could change and delete events");
    expect(known.get("followers")).toBe("none has started yet");
    expect(known.get("event store")).toMatch(/, and the next start will bind the database to it$/);
    expect(filesOf(folder)).toEqual(before);
  });

  test("reports each wrong setting, and still checks the machine", async () => {
    const findings = await lookAtInstallation({
      online: false,
      now: () => new Date(),
      settings: () => settings({ PORT: "many", STRIPE_SECRET_KEY: "sk_test_unfinished" }),
    });
    expect(complaintsOf(findings)[0]).toMatch(/^wrong {4}settings: .*must/);
    expect(complaintsOf(findings).join()).not.toContain("sk_test_unfinished");
    expect(findings.map(({ about }) => about)).toContain("Node");
  });

  test("reports what cannot be checked while an embedded installation is stopped", async () => {
    const { DATABASE_URL: _none, ...embedded } = env;
    const findings = await lookAtInstallation({
      online: false,
      now: () => new Date(),
      settings: () => readConfig(embedded, folder),
    });
    const { what, state } = findings.find(({ about }) => about === "database") ?? {};
    expect([state, what]).toEqual([
      "ok",
      expect.stringContaining("run this again while the product is running"),
    ]);
    expect(complaintsOf(findings)).toEqual([
      expect.stringMatching(/^warning {2}DATA_DIR: .* does not exist — the first/),
    ]);
  });
});

describe("The doctor's check of folders reports", () => {
  test("a key that others may read", async () => {
    const segment = readdirSync(join(folder, "keys", "segments"))[0] ?? "";
    const path = join(folder, "keys", "segments", segment);
    chmodSync(path, 0o644);
    expect(complaintsOf(await look())).toEqual([
      `wrong    KEY_DIR: other users can read ${path} — chmod -R go= ${join(folder, "keys")}`,
    ]);
  });

  test("a mirror disk that is not mounted", async () => {
    rmSync(join(folder, "mirror"), { recursive: true });
    expect(complaintsOf(await look())).toEqual([
      `wrong    KEY_MIRROR_DIR: ${join(folder, "mirror")} does not exist — mount its disk, or create an empty folder there`,
    ]);
  });

  test("a file in the way", async () => {
    rmSync(join(folder, "mirror"), { recursive: true });
    writeFileSync(join(folder, "mirror"), "");
    expect(complaintsOf(await look()).join()).toContain("is a file — move it");
  });

  const mirrorSays = async (): Promise<string> =>
    (await look()).filter(({ about }) => about === "key mirror").map(lineOf)[0] ?? "";

  test.each([
    ["a key that was erased without the mirror", "keys", 0, "still in the mirror — start the product"],
    ["a key that came back", "mirror", 0, "are back in KEY_DIR — KEY_DIR was restored"],
    ["another installation's mirror", "mirror", 7, "differ from those in KEY_DIR"],
  ])("what to do about %s", async (_what, where, filling, words) => {
    const name = readdirSync(join(folder, where, "segments"))[0] ?? "";
    const path = join(folder, where, "segments", name);
    const bytes = readFileSync(path);
    expect(bytes.length).toBeGreaterThanOrEqual(segmentBytes);
    writeFileSync(path, bytes.fill(filling, 0, 32));
    expect(await mirrorSays()).toContain(words);
  });

  test("a mirror that holds only other keys", async () => {
    rmSync(join(folder, "mirror", "segments"), { recursive: true });
    writeFileSync(join(folder, "mirror", "installation", "key-folder.secret"), randomBytes(32));
    expect(await mirrorSays()).toContain(
      "belongs to another installation — set KEY_MIRROR_DIR to the mirror",
    );
  });

  test("keys that only the mirror has, until they are all erased", async () => {
    const [segment = ""] = readdirSync(join(folder, "mirror", "segments"));
    rmSync(join(folder, "keys", "segments"), { recursive: true });
    expect(await mirrorSays()).toMatch(
      /^wrong {4}key mirror: has 1 segments of keys that KEY_DIR lacks — mount the disk of KEY_DIR/,
    );
    writeFileSync(join(folder, "mirror", "segments", segment), Buffer.alloc(32_768));
    expect(await mirrorSays()).toContain("in step: 0 segments");
  });

  test("sealed data whose keys are in no folder", async () => {
    const says = async () => (await look()).filter(({ about }) => about === "sealed data").map(lineOf);
    expect(await says()).toEqual(["ok       sealed data: its keys are there"]);
    const [name = ""] = readdirSync(join(folder, "keys", "segments"));
    const pool = createPool(database.connectionString, 1);
    for (const [slot, segment] of [name.replace(".keys", ""), "0".repeat(32), "0".repeat(32)].entries())
      await pool.query(
        `insert into vault_records (record_id, subject, data_class, kind, schema_version, key_segment, key_slot,
           key_fingerprint, nonce, ciphertext, due_at, sealed_at)
         values (gen_random_uuid(), gen_random_uuid(), 'contact', 'contact', 1, $1, $2, $3, '\\x00', '\\x00', now(), now())`,
        [segment, slot, "f".repeat(32)],
      );
    await pool.query(
      `insert into index_keys (key_id, month, key_segment, key_slot, key_fingerprint, made_at)
       values (gen_random_uuid(), '2026-11-01', $1, 7, $2, now())`,
      ["0".repeat(32), "f".repeat(32)],
    );
    await pool.end();
    expect(await says()).toEqual([
      expect.stringMatching(
        /^wrong {4}sealed data: the keys of 2 records and of 1 month of the search index are in no key folder: segments 0{32} — mount the disk/,
      ),
    ]);
    writeFileSync(join(folder, "mirror", "segments", "emptied.list"), `\n${"0".repeat(32)}\n`);
    expect(await says()).toEqual(["ok       sealed data: its keys are there"]);
  });

  test("missing keys in the mirror", async () => {
    rmSync(join(folder, "mirror", "segments"), { recursive: true });
    expect(await mirrorSays()).toMatch(
      /^warning {2}key mirror: lacks 1 segments of keys — start the product/,
    );
  });
});

describe("The doctor's check of the database reports", () => {
  test("why it cannot be reached, without its password", async () => {
    const lines = complaintsOf(
      await look({ DATABASE_URL: "postgres://somebody:opensesame@127.0.0.1:1/none" }),
    );
    expect(lines).toEqual([
      expect.stringContaining("127.0.0.1:1/none) cannot be used: nothing listens there"),
    ]);
    expect(lines.join()).not.toContain("opensesame");
  });

  test("that acknowledged events may be lost, as in these tests", async () => {
    const said = (await look()).filter(({ about }) => about === "database settings").map(lineOf);
    expect(said).toEqual([
      expect.stringMatching(
        /^wrong {4}database settings: fsync .* off: a power cut may lose .* — set each to on/,
      ),
    ]);
  });

  test("a schema of newer code", async () => {
    await sql("insert into migrations (name, run_on) values ('9999_of-tomorrow', now())");
    expect(complaintsOf(await look())).toEqual([
      expect.stringContaining("unknown to this version (9999_of-tomorrow): start the newer version"),
    ]);
  });

  test("pending migrations", async () => {
    await sql("delete from migrations where name = (select max(name) from migrations)");
    expect(complaintsOf(await look())).toEqual([
      "warning  schema: 1 migrations are not applied yet — the next start applies them",
    ]);
  });

  test("a new database that the product's role may not prepare", async () => {
    const role = `role_${randomUUID().replaceAll("-", "")}`;
    await sql(
      `drop schema public cascade; create schema public; grant usage on schema public to public;
       create role ${role} login password 'test-only'`,
    );
    const url = new URL(database.connectionString);
    [url.username, url.password] = [role, "test-only"];
    const findings = await look({ DATABASE_URL: url.href });
    await sql(`drop role ${role}`);
    expect(complaintsOf(findings)).toEqual([
      expect.stringMatching(
        /^warning {2}schema: \d+ migrations are not applied yet — run npm run migrate with the owner's address in DATABASE_URL: the role role_\w+ may not apply them$/,
      ),
    ]);
  });

  test("keys of another database", async () => {
    writeFileSync(join(folder, "keys", "installation", "key-folder.secret"), randomBytes(32));
    expect(complaintsOf(await look())).toEqual([
      expect.stringContaining("is the key folder of another database"),
    ]);
  });

  test("a clock difference", async () => {
    const ahead = () => new Date(Date.now() + 60_000);
    expect(complaintsOf(await look({}, ahead))).toEqual([
      expect.stringMatching(/^wrong {4}clock: \d+\.\d s apart from the database's — synchronise both clocks/),
    ]);
  });
});

describe("The doctor's check of followers reports", () => {
  const follower = (columns: string, values: string) =>
    sql(`insert into followers (name, version${columns}) values ('work', ${taskRules}${values})`);

  test("where and why one has stopped", async () => {
    await follower(", state, stop_reason, stop_position", ", 'stopped', 'event-failed', '17'");
    expect(complaintsOf(await look())).toEqual([
      "wrong    follower work: stopped at 17 (event-failed) — see the log line about it; after a fix, start again",
    ]);
  });

  test("since when one has an order parked", async () => {
    await follower("", "");
    await sql(
      `insert into parked_streams (name, version, stream, position, event_id, revision, reason)
       values ('work', ${taskRules}, 'order-1', '17', 'event-1', 3, 'changed')`,
    );
    expect(complaintsOf(await look())).toEqual([
      expect.stringMatching(
        /^wrong {4}parked records: 1 orders or tickets are parked, .*: order-1, which work cannot process \(changed\) — repair them/,
      ),
    ]);
  });

  test("a follower of another log", async () => {
    await follower(", position, log_id, event_id", ", '0000000000000001', 'another', gen_random_uuid()");
    expect(complaintsOf(await look())).toEqual([
      expect.stringMatching(
        /^wrong {4}event store: The log in Postgres.* this database belongs to log another: /,
      ),
    ]);
  });

  test("a log that is in an event store not set here", async () => {
    const there = "00000000000004d2-00000000000004d2";
    await follower(", position, event_id", `, '${there}', gen_random_uuid()`);
    expect(complaintsOf(await look())).toEqual([
      expect.stringMatching(
        /^wrong {4}event store: .* lacks an event .* set EVENTSTORE_URL to the event store in use/,
      ),
    ]);
  });

  test("an event store without a log, without creating one", async () => {
    const fake = await startFakeEventStoreDb();
    onTestFinished(() => fake.stop());
    const says = [
      expect.stringMatching(
        /^wrong {4}event store: .* holds no log of ours yet: the first start creates one/,
      ),
    ];
    expect(complaintsOf(await look({ EVENTSTORE_URL: fake.url }))).toEqual(says);
    expect(complaintsOf(await look({ EVENTSTORE_URL: fake.url }))).toEqual(says);
  });

  test("unused versions, and read models that were replaced", async () => {
    await sql(
      `insert into followers (name, version, state, stop_reason)
       values ('ticket-lookup', 1, 'stopped', 'too-many-parked'), ('order-list', 7, 'stopped', 'too-many-parked')`,
    );
    expect(complaintsOf(await look())).toEqual([
      "warning  read models: unused versions: ticket-lookup 1; order-list 7 — once you no longer need older code, run npm run projections:drop",
    ]);
  });

  test("overdue personal data", async () => {
    await sql(
      `insert into work (subject_id, due_at, destroys_at, tasks, rules)
       select gen_random_uuid(), at, at, jsonb_build_array(jsonb_build_object(
         'name', 'purge-application', 'kind', 'purge', 'dueAt', at)), ${taskRules}
       from (select now() - interval '5 minutes' as at) as due`,
    );
    expect(complaintsOf(await look())).toEqual([
      expect.stringMatching(
        /^wrong {4}destructions: 1 purges of personal data are overdue, the oldest due at .* — check that a worker/,
      ),
    ]);
  });
});

describe("The doctor's check of the surroundings reports", () => {
  test("its own port as ready", async () => {
    await listenAs({ status: "ready", problems: [] });
    const findings = await look();
    expect(findings.find(({ about }) => about === "port")?.what).toBe(`${env.PORT} is ours, and ready`);
  });

  test("what is not ready", async () => {
    await listenAs({ status: "not ready", problems: [{ name: "database", problem: "failed" }] });
    expect(complaintsOf(await look())).toEqual([
      `wrong    port: ${env.PORT} is ours, and not ready (database: failed) — see the other findings, and its log`,
    ]);
  });

  test("what is degraded", async () => {
    await listenAs({
      status: "ready",
      problems: [],
      degraded: [{ name: "redis", problem: "does not answer" }],
    });
    expect(complaintsOf(await look())).toEqual([
      `warning  port: ${env.PORT} is ours, and is degraded (redis: does not answer) — see the other findings, and its log`,
    ]);
  });

  test("a port taken by another program", async () => {
    await listenAs("<h1>It works!</h1>");
    expect(complaintsOf(await look())).toEqual([
      `wrong    port: ${env.PORT} is taken by another program — stop it, or set PORT to a free port`,
    ]);
  });

  test("why Redis cannot be used", async () => {
    const lines = complaintsOf(await look({ REDIS_URL: "redis://:opensesame@127.0.0.1:1/0" }));
    expect(lines).toEqual([
      expect.stringContaining("cannot be used: nothing listens there: start the server"),
    ]);
    expect(lines.join()).not.toContain("opensesame");
  });

  test("settings unfit for production", async () => {
    const production = { NODE_ENV: "production", ALLOW_SANDBOX: "1" };
    const said = async (more: Record<string, string>) =>
      complaintsOf(await look({ ...production, ...more })).join("\n");
    expect(await said({})).toContain("PUBLIC_URL: not set");
    expect(await said({ PUBLIC_URL: "http://shop.example" })).toContain("would be sent unencrypted");
    expect(await said({ PUBLIC_URL: "https://shop.example" })).toContain("TRUST_PROXY: 0, while");
    expect(await said({ PUBLIC_URL: "https://shop.example", TRUST_PROXY: "1" })).toBe(
      "warning  settings: ALLOW_SANDBOX allows simulated providers in production — set the live keys of each provider",
    );
    const demanding = await said({ ALLOW_SANDBOX: "0" });
    expect(demanding).toContain("NODE_ENV is production, but the sandbox is used");
    expect(demanding).toMatch(
      /wrong {4}company: customers are not told .*\(COMPANY_NAME\).*\(SUPPORT_EMAIL\)/,
    );
    const identified = {
      COMPANY_NAME: "Kith and Copy Ltd",
      COMPANY_NUMBER: "01234567",
      COMPANY_REGISTERED_IN: "England and Wales",
      POSTAL_ADDRESS: "1 High Street, Nottingham, NG1 1AA",
      SUPPORT_EMAIL: "help@kithandcopy.co.uk",
    };
    expect(await said({ ALLOW_SANDBOX: "0", ...identified })).not.toContain("company:");
  });
});

/** Every file with its content, to check that nothing changed. */
function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path} ${readFileSync(path).toString("hex")}`);
}
