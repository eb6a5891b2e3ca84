import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { machineLine, median } from "../../figures.ts";
import { eventBytes, plainTable } from "./drivers.ts";
import { type Figures, measureAppends } from "./measure.ts";

// S1, as far as it can be checked without other vendors' servers: the same sealed events, batched by us and inserted
// singly, in one run on one durable server. Rounds alternate, so that slow moments of the machine affect both.

const callers = 64;
const rounds = 5;
const warmUpMs = 400;
const measureMs = 1500;
const processCounts = [1, 2, 4] as const;
/** From one process; figures for more are informative. */
const claimedRatio = 2;

const seed = commandLine("bench:append").options.seed ?? randomBytes(4).toString("hex");

function medians(all: readonly Figures[]): Figures {
  return {
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    p50Ms: median(all.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
  };
}

function row(processes: number, way: string, { perSecond, p50Ms, p99Ms }: Figures): string {
  const cells = [
    processes,
    way,
    Math.round(perSecond).toLocaleString("en-GB"),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ];
  const widths = [10, 16, 12, 10, 10];
  return cells.map((cell, n) => String(cell).padStart(widths[n] ?? 0)).join("");
}

/** Both drivers, alternating, and their ratio: the median of the rounds' ratios. */
async function compare(connectionString: string, processes: number): Promise<number> {
  const batched: Figures[] = [];
  const single: Figures[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = `${seed}-${processes}-${round}`;
    const appends = { connectionString, callers, processes, warmUpMs, measureMs, name };
    batched.push(await measureAppends({ ...appends, way: "batched" }));
    single.push(await measureAppends({ ...appends, way: "single" }));
  }
  const ratio = median(batched.map(({ perSecond }, n) => perSecond / (single[n]?.perSecond ?? perSecond)));
  console.log(row(processes, "batched (ours)", medians(batched)));
  console.log(row(processes, "single inserts", medians(single)));
  console.log(`${" ".repeat(10)}ratio ${ratio.toFixed(2)}`);
  return ratio;
}

async function prepare(connectionString: string): Promise<string> {
  await migrate(connectionString);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(plainTable);
  const { rows } = await client.query<{ about: string }>(
    "select version() || ', fsync ' || current_setting('fsync') || ', synchronous_commit ' || current_setting('synchronous_commit') as about",
  );
  await client.end();
  return rows[0]?.about ?? "";
}

const directory = mkdtempSync(join(tmpdir(), "certificates-bench-"));
const server = await startEmbedded({ directory });
try {
  const about = await prepare(server.connectionString);
  console.log(
    `Durable appends of one event of ${eventBytes} bytes, ${callers} concurrent callers over 1, 2 and 4 processes;`,
  );
  console.log(`medians of ${rounds} alternating rounds of ${measureMs / 1000} s. Seed ${seed}.`);
  console.log(`Command: npm run bench:append -- --seed ${seed}`);
  console.log(machineLine());
  console.log(`${about}\n`);
  console.log(" processes             way  per second   p50 ms    p99 ms");
  const ratios: number[] = [];
  for (const processes of processCounts) ratios.push(await compare(server.connectionString, processes));
  const [ratio = 0] = ratios;
  const holds = ratio >= claimedRatio;
  console.log(
    `\nClaim: from one process at least ${claimedRatio} times the single inserts: ${holds ? "holds" : "FAILS"}.`,
  );
  process.exitCode = holds ? 0 : 1;
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
