import * as z from "zod/mini";
import { answers, get, published } from "../request.ts";

// The addresses and formats are those of C2SP tlog-tiles: they are not ours to change.

const text = "text/plain";

export const showCheckpoint = get("/transparency/checkpoint", {
  summary: "The transparency log's newest signed checkpoint (C2SP tlog-checkpoint)",
  from: "anyone",
  limit: "reads",
  answers: published(text, { cachedSeconds: 10 }),
});

export const showVerifierKeys = get("/transparency/key", {
  summary:
    "The keys that verify checkpoints, one a line: those that sign, newest first, then retired ones (C2SP signed-note)",
  from: "anyone",
  limit: "reads",
  answers: published(text, { cachedSeconds: 3600 }),
});

export const logKeys = z.object({
  keys: z.array(
    z.object({
      /** `name+id+key` */
      key: z.string(),
      state: z.enum(["signs", "retired", "revoked"]),
      /** When it stopped signing, ISO 8601; null while it signs. */
      since: z.nullable(z.string()),
    }),
  ),
});

export type LogKeys = z.output<typeof logKeys>["keys"];

/** Our own format, for the pages. Revoked keys are in it too. */
export const showLogKeys = get("/transparency/keys", {
  summary: "The keys that sign checkpoints or did, each with its state",
  from: "anyone",
  limit: "reads",
  answers: answers(logKeys),
});

/** Our own format, for the pages. */
export const witnesses = z.object({
  /** How many should sign each checkpoint. */
  quorum: z.int(),
  /** `name+id+key` */
  keys: z.array(z.string()),
});

export type Witnesses = z.output<typeof witnesses>;

export const showWitnesses = get("/transparency/witnesses", {
  summary: "The witnesses that are asked to sign each checkpoint (C2SP tlog-witness), and how many should",
  from: "anyone",
  limit: "reads",
  answers: answers(witnesses),
});

/** Tiles of trees that were signed never change. */
export const showTile = get("/transparency/tile/{tile}", {
  summary: "A tile of the transparency log's tree (C2SP tlog-tiles)",
  from: "anyone",
  limit: "reads",
  answers: published("application/octet-stream", { cachedSeconds: 31_536_000 }),
  refuses: ["not-found"],
});
