import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { root } from "../../infra/setup/steps.ts";

// How long test files take, and which may take long: the table in testing/README.md.

/** Milliseconds, by the file's path from the project's folder. */
export type Durations = Readonly<Record<string, number>>;

const store = join(root, "node_modules", ".cache", "test-durations.json");
const durations = z.record(z.string(), z.number());

/** What each file took when it last ran on this machine. */
export function lastDurations(): Durations {
  if (!existsSync(store)) return {};
  const { success, data } = durations.safeParse(JSON.parse(readFileSync(store, "utf8")));
  return success ? data : {};
}

export function keepDurations(took: Durations): void {
  mkdirSync(dirname(store), { recursive: true });
  writeFileSync(store, JSON.stringify(took));
}

const mostMs = 20_000;

/** The files of the table, with the time that it gives. @param readme of this folder's parent */
export function listedFiles(readme: string): Durations {
  const rows = readme.matchAll(/^\| \[`[^`]+`\]\(\.\.\/(\S+\.test\.ts)\) \| (\d+) s \|/gm);
  return Object.fromEntries([...rows].map(([, file = "", seconds]) => [file, Number(seconds) * 1_000]));
}

/**
 * A sentence for each file that took more than 20 s and is not listed. On a slow machine it may take three
 * times as long as the shortest listed file, by what the listed files took in the median: from run to run one file takes
 * up to twice as long, beside others.
 */
export function tooSlow(took: Durations, listed: Durations): string[] {
  const paces = Object.entries(listed)
    .flatMap(([file, ms]) => (took[file] === undefined ? [] : [took[file] / ms]))
    .sort((one, other) => one - other);
  const pace = paces[Math.floor(paces.length / 2)] ?? 0;
  const shortestMs = Object.values(listed).reduce((one, other) => Math.min(one, other), Number.MAX_VALUE);
  const limitMs = Math.max(mostMs, 3 * pace * shortestMs);
  return Object.entries(took)
    .filter(([file, ms]) => ms > limitMs && !(file in listed))
    .map(
      ([file, ms]) =>
        `${file} took ${inSeconds(ms)}, and at most ${inSeconds(limitMs)} are allowed in this run: ` +
        "shorten it, or list it in testing/README.md with what takes its time.",
    );
}

const inSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
