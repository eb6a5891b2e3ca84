import { performance } from "node:perf_hooks";
import { failCommand, WrongCommand } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { machineLine } from "../../figures.ts";
import { type Arrived, arrive, callInTurn } from "./arrivals.ts";
import { createLoadFigures, reportLines } from "./call-figures.ts";
import { createOrdering, findCardDesk } from "./order.ts";
import { findTarget } from "./target.ts";

// npm run load [-- --callers 16 | --rate 20] [--seconds 30] [--url http://localhost:3000]: whole orders and lookups
// over HTTP, paid in the sandbox. Without --url it starts the product on temporary folders. Generator, product and
// database then share the machine's cores.

const usualCallers = 16;

function readOptions() {
  const { options } = commandLine("load");
  const { rate, callers } = options;
  if (rate !== undefined && callers !== undefined)
    throw new WrongCommand("Give --rate (orders per second) or --callers (concurrent callers), not both.");
  return {
    ...options,
    callers: callers ?? usualCallers,
    isOwn: options["i-own-this-host"],
    warmUpSeconds: options["warm-up"],
  };
}

type Options = ReturnType<typeof readOptions>;

const about = ({ rate, callers, seconds, warmUpSeconds, lookups, seed, url }: Options) => [
  rate === undefined
    ? `Whole orders, closed-loop: ${callers} callers, each starting the next order once the previous one is submitted;`
    : `Whole orders, open-loop: ${rate} arrive per second, and waiting counts from their due time;`,
  `${lookups} lookups an order; ${seconds} s after ${warmUpSeconds} s of warm-up.`,
  `Command: npm run load -- ${rate === undefined ? `--callers ${callers}` : `--rate ${rate}`} --seconds ${seconds} --warm-up ${warmUpSeconds} --lookups ${lookups} --seed ${seed}${url === undefined ? "" : ` --url ${url}`}`,
  machineLine(),
];

async function run(options: Options): Promise<boolean> {
  const { rate, callers, seconds, warmUpSeconds, lookups } = options;
  await using closing = new AsyncDisposableStack();
  const target = await findTarget(options.url, options.isOwn);
  closing.defer(target.dispose);
  const figures = createLoadFigures();
  const cards = await findCardDesk(target.url);
  const random = seededRandom(options.seed);
  const ordering = createOrdering({ target, cards, figures, random, lookups });
  const load = (forSeconds: number): Promise<Arrived> =>
    rate === undefined
      ? callInTurn(callers, forSeconds, ordering.begin)
      : arrive(rate, forSeconds, ordering.begin);
  for (const line of about(options)) console.log(line);
  const warmUp = await load(warmUpSeconds);
  await warmUp.ended;
  figures.begin();
  const startedAt = performance.now();
  const measured = await load(seconds);
  await measured.ended;
  const measuredSeconds = (performance.now() - startedAt) / 1000;
  await ordering.watching();
  if (measured.turnedAway > 0) figures.failed("arrival", "refused: too many in progress");
  console.log(`\n${reportLines(figures, measuredSeconds).join("\n")}`);
  if (rate !== undefined)
    console.log(`\nThe generator itself started each order at most ${measured.latestMs.toFixed(0)} ms late.`);
  const faults = figures.faults();
  console.log(
    `\nClaim: every call is answered, and every order's data purged: ${faults === 0 ? "holds" : `FAILS ${faults} times`}.`,
  );
  return faults === 0;
}

try {
  process.exitCode = (await run(readOptions())) ? 0 : 1;
} catch (error) {
  failCommand(error);
}
