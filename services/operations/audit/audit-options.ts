import { parseArgs } from "node:util";
import { OperatorError } from "../../../infra/process/operator-error.ts";

/**
 * `--accept` without a mark asks for the mark.
 * @throws OperatorError for a number out of range, TypeError for an unknown option
 */
export function readOptions(args: readonly string[]) {
  const given = args.map((arg, at) =>
    arg === "--accept" && (args[at + 1] ?? "--").startsWith("--") ? "--accept=" : arg,
  );
  const { values } = parseArgs({
    args: given,
    options: {
      accept: { type: "string" },
      "new-events": { type: "boolean", default: false },
      seen: { type: "string", multiple: true, default: [] },
      "at-once": { type: "string", default: "2" },
      afresh: { type: "boolean", default: false },
      "rebuild-tree": { type: "boolean", default: false },
    },
  });
  const atOnce = Number(values["at-once"]);
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > 32)
    throw new OperatorError("--at-once takes a whole number from 1 to 32.");
  const kind: "whole" | "new-events" = values["new-events"] ? "new-events" : "whole";
  return {
    kind,
    atOnce,
    mark: values.accept,
    files: values.seen,
    afresh: values.afresh,
    rebuildsTree: values["rebuild-tree"],
  };
}

export type AuditOptions = ReturnType<typeof readOptions>;
