import type { AuditReport } from "../../../infra/audit/audit-log.ts";
import type { AuditProblem } from "../../../infra/audit/audit-problem.ts";
import { hexOf } from "../../../infra/transparency/formats/bytes.ts";

/** What an audit found, and what to do, in the words of `npm run audit`. */
export function wordsOf(report: AuditReport): string {
  const { events, streams, checkpoints, rollingHash, problem, verified, from } = report;
  const read = `${events} events in ${streams} streams, compared with ${checkpoints} signed ${checkpoints === 1 ? "checkpoint" : "checkpoints"}`;
  const before = from ? ` The first ${from.tree.size} were read before.` : "";
  if (!problem)
    return [
      `The log is intact: ${read}.${before}`,
      `Its rolling hash is ${rollingHash}.`,
      verified
        ? `It is what the transparency log signed at ${verified.tree.size} events, with the root ${hexOf(verified.tree.root())}.`
        : "The transparency log has signed none of it yet.",
    ].join("\n");
  const { what, todo } = advice[problem.kind] ?? logAdvice;
  return [`${what} ${problem.words}`, `Read up to there: ${read}.${before} ${todo}`].join("\n");
}

type Advice = { readonly what: string; readonly todo: string };

const logAdvice: Advice = {
  what: "THE LOG HAS BEEN ALTERED OR DAMAGED.",
  todo: "Keep this database as it is, and compare it with a backup before you do anything else.\nIf it is a backup that was restored, npm run audit -- --accept names the mark with which you accept it.",
};

/** Where the events are not what is wrong. */
const advice: { readonly [Kind in AuditProblem["kind"]]?: Advice } = {
  "tile-damaged": {
    what: "THE TRANSPARENCY LOG'S TREE IS DAMAGED.",
    todo: "Stop every process, keep a copy of this database, and run npm run audit -- --rebuild-tree: the next start builds the tree again.",
  },
  "checkpoints-broken": {
    what: "WHAT WAS SIGNED HAS BEEN ALTERED OR DAMAGED.",
    todo: "Stop every process, put an intact copy in its place, as docs/operations/runbooks.md says, and run this again.",
  },
  "checkpoint-rolled-back": {
    what: "THE KEY FOLDER IS AN OLDER COPY.",
    todo: "Put the newest transparency/checkpoint back into KEY_DIR, from the mirror, and find out who restored the folder: keys that were erased since may be back in it.",
  },
};
