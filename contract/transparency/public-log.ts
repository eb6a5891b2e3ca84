import { get, published } from "../request.ts";

// The addresses and formats are those of C2SP tlog-tiles: they are not ours to change.

const text = "text/plain";

export const showCheckpoint = get("/transparency/checkpoint", {
  summary: "The transparency log's newest signed checkpoint (C2SP tlog-checkpoint)",
  from: "anyone",
  limit: "reads",
  answers: published(text, { cachedSeconds: 10 }),
  refuses: ["not-found"],
});

export const showVerifierKeys = get("/transparency/key", {
  summary: "The keys that sign checkpoints, one a line, newest first (C2SP signed-note)",
  from: "anyone",
  limit: "reads",
  answers: published(text, { cachedSeconds: 3600 }),
});

/** Tiles of trees that were signed never change. */
export const showTile = get("/transparency/tile/{tile}", {
  summary: "A tile of the transparency log's tree (C2SP tlog-tiles)",
  from: "anyone",
  limit: "reads",
  answers: published("application/octet-stream", { cachedSeconds: 31_536_000 }),
  refuses: ["not-found"],
});
