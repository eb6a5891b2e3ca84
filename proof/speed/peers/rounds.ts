import { median } from "../../figures.ts";

/** What one round of a way gave. Latencies only where single answers are timed. */
export type Round = { readonly perSecond: number; readonly p50Ms?: number; readonly p99Ms?: number };

/** A way to do the same. */
export type Way = { readonly name: string; readonly run: () => Promise<Round> };

/** That the first way, ours, does so many times as much in a second. Without a target, the ratio is only reported. */
export type Claim = { readonly over: string; readonly least?: number };

/** Rounds alternate, so that slow moments of the machine affect all. @returns the rounds of each way, by its name */
export async function inTurn(ways: readonly Way[], rounds: number): Promise<Map<string, Round[]>> {
  const ran = new Map<string, Round[]>(ways.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const { name, run } of ways) ran.get(name)?.push(await run());
  return ran;
}

type Verdict = { readonly line: string; readonly holds: boolean };

/** Medians of the rounds, and of each round's ratios. */
export function report(
  title: string,
  ran: ReadonlyMap<string, readonly Round[]>,
  claims: readonly Claim[],
): { readonly lines: readonly string[]; readonly holds: boolean } {
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join("")}`;
  const rows = [...ran].map(([name, rounds]) => {
    const cell = (figure: keyof Round, digits: number) => {
      const values = rounds.flatMap((round) => round[figure] ?? []);
      return values.length === 0 ? "" : median(values).toFixed(digits);
    };
    return row(name, [cell("perSecond", 0), cell("p50Ms", 2), cell("p99Ms", 2)]);
  });
  const [ours = []] = ran.values();
  const verdicts = claims.map((claim) => judge(title, ours, ran.get(claim.over), claim));
  return {
    lines: ["", row(title, ["per second", "p50 ms", "p99 ms"]), ...rows, ...verdicts.map(({ line }) => line)],
    holds: verdicts.every(({ holds }) => holds),
  };
}

function judge(
  title: string,
  ours: readonly Round[],
  theirs: readonly Round[] | undefined,
  { over, least }: Claim,
): Verdict {
  if (theirs === undefined) return { line: `${title} beside ${over}: not measured.`, holds: true };
  const ratio = median(ours.map(({ perSecond }, n) => perSecond / (theirs[n]?.perSecond ?? Number.NaN)));
  const beside = `${title} beside ${over}: ${ratio.toFixed(2)}`;
  if (least === undefined) return { line: `${beside}.`, holds: true };
  const holds = ratio >= least;
  return { line: `${beside}, target ${least}: ${holds ? "met" : "MISSED"}.`, holds };
}
