import { base64Of, fromDecimal, hashFromBase64 } from "./bytes.ts";
import { NoteRefused, type NoteSignedBy, parseNote, verifyNote } from "./signed-note.ts";
import { signatureTypes, type VerifierKey } from "./verifier-key.ts";
import type { Tree } from "./verify-proofs.ts";

/** A tree of a log, by the log's name (C2SP tlog-checkpoint). */
export type Checkpoint = Tree & { readonly origin: string };

export type OpenedCheckpoint = {
  readonly checkpoint: Checkpoint;
  /** Keys of the log that signed it, at least one. */
  readonly logKeys: readonly VerifierKey[];
  /** Known witnesses that signed it. `time` is in seconds since 1970. */
  readonly witnesses: readonly { readonly key: VerifierKey; readonly time: number }[];
};

export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${base64Of(root)}\n`;

/** Extension lines are allowed and ignored. @throws NoteRefused when it is malformed */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", sizeText = "", rootText = "", ...rest] = text.split("\n");
  const [size, root] = [fromDecimal(sizeText), hashFromBase64(rootText)];
  const isWhole = rest.at(-1) === "" && rest.slice(0, -1).every((line) => line !== "");
  if (origin === "" || size === undefined || !root || !isWhole)
    throw new NoteRefused("The checkpoint is malformed.");
  return { origin, size, root };
}

/**
 * Reads a checkpoint that a log signed, under its own name.
 * @param logKeys of the log: one of them must have signed it
 * @throws NoteRefused
 */
export async function openCheckpoint(
  note: string,
  logKeys: readonly VerifierKey[],
  witnessKeys: readonly VerifierKey[] = [],
): Promise<OpenedCheckpoint> {
  const parsed = parseNote(note);
  const checkpoint = parseCheckpoint(parsed.text);
  const signedBy = await verifyNote(parsed, [...logKeys, ...witnessKeys]);
  const isOfLog = ({ key }: NoteSignedBy) =>
    key.type === signatureTypes.log && key.name === checkpoint.origin && logKeys.includes(key);
  const byLog = signedBy.filter(isOfLog);
  if (byLog.length === 0) throw new NoteRefused("The log did not sign the checkpoint.");
  return {
    checkpoint,
    logKeys: byLog.map(({ key }) => key),
    witnesses: signedBy.flatMap(({ key, time }) => (time === null ? [] : [{ key, time }])),
  };
}
