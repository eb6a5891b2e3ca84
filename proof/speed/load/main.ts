import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";
import { seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { machineLine } from "../../figures.ts";
import { type Arrived, arrive, callInTurn } from "./arrivals.ts";
import { createLoadFigures, reportLines } from "./call-figures.ts";
import { createOrdering, findCardDesk } from "./order.ts";
import { findTarget } from "./target.ts";

// npm run load [-- --callers 16 | --rate 20] [--seconds 30] [--url http://localhost:3000]: whole orders and lookups
// over HTTP, paid in the sandbox. Without --url it starts the product on temporary folders. Generator, product and
// database then share the machine's cores.

const wholeNumber = (name: string, given: string, most: number): number => {
  if (/^\d+$/.test(given) && Number(given) >= 1 && Number(given) <= most) return Number(given);
  throw new OperatorError(`--${name} is "${given}": give a whole number from 1 to ${most}.`);
};

function readOptions() {
  const { values } = parseArgs({
    options: {
      url: { type: "string" },
      rate: { type: "string" },
      callers: { type: "string" },
      seconds: { type: "string", default: "30" },
      "warm-up": { type: "string", default: "5" },
      lookups: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      "i-own-this-host": { type: "boolean", default: false },
    },
  });
  if (values.rate !== undefined && values.callers !== undefined)
    throw new OperatorError("Give --rate (orders per second) or --callers (concurrent callers), not both.");
  return {
    url: values.url,
    isOwn: values["i-own-this-host"],
    rate: values.rate === undefined ? undefined : wholeNumber("rate", values.rate, 5_000),
    callers: wholeNumber("callers", values.callers ?? "16", 1_000),
    seconds: wholeNumber("seconds", values.seconds, 3_600),
    warmUpSeconds: wholeNumber("warm-up", values["warm-up"], 600),
    lookups: wholeNumber("lookups", values.lookups, 20),
    seed: wholeNumber("seed", values.seed, 2 ** 31),
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
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
