import { z } from "zod";
import type { Position } from "../event-store/event-store.ts";
import { recordedInstant } from "../recorded-instant.ts";
import { NoteRefused, parseNote, verifyNote } from "./formats/signed-note.ts";
import { signatureTypes, type VerifierKey } from "./formats/verifier-key.ts";

/**
 * Where the event of the newest signed leaf is. It tells at the start that a log was cut or replaced, before any event
 * is read. Not published: event ids are internal.
 */
export type NewestLeaf = {
  /** The log's name. */
  readonly origin: string;
  readonly logId: string;
  /** Leaves up to and including this one. */
  readonly size: number;
  readonly position: Position;
  readonly eventId: string;
  /** When it was signed, ISO 8601 in UTC. */
  readonly at: string;
};

const version = "kith-and-copy/newest-leaf@v1";
const names = ["origin", "log", "size", "position", "event", "time"] as const;

const fields = z.object({
  origin: z.string().min(1),
  log: z.string().min(1),
  size: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
  position: z.string().min(1),
  event: z.string().min(1),
  time: recordedInstant,
});

/** The text of a note, a line for each field. Its first line sets it apart from a checkpoint. */
export function formatNewestLeaf({ origin, logId, size, position, eventId, at }: NewestLeaf): string {
  const values = { origin, log: logId, size: String(size), position, event: eventId, time: at };
  return `${version}\n${names.map((name) => `${name} ${values[name]}\n`).join("")}`;
}

/** @throws NoteRefused when it is malformed */
export function parseNewestLeaf(text: string): NewestLeaf {
  const [first, ...lines] = text.split("\n");
  const values = names.map((name, at) => {
    const line = lines[at] ?? "";
    return [name, line.startsWith(`${name} `) ? line.slice(name.length + 1) : undefined];
  });
  const parsed = fields.safeParse(Object.fromEntries(values)).data;
  if (first !== version || !parsed || lines.length !== names.length + 1 || lines.at(-1) !== "")
    throw new NoteRefused("The note about the newest leaf is malformed.");
  const { origin, log, size, position, event, time } = parsed;
  return { origin, logId: log, size, position, eventId: event, at: time };
}

/**
 * Reads a note that the log signed, under its own name.
 * @param keysOf keys whose signatures count, of the log with this name
 * @throws NoteRefused
 */
export async function openNewestLeaf(
  note: string,
  keysOf: (origin: string) => Promise<readonly VerifierKey[]>,
): Promise<NewestLeaf> {
  const parsed = parseNote(note);
  const leaf = parseNewestLeaf(parsed.text);
  const signedBy = await verifyNote(parsed, await keysOf(leaf.origin));
  if (!signedBy.some(({ key }) => key.type === signatureTypes.log && key.name === leaf.origin))
    throw new NoteRefused("The log did not sign the note about its newest leaf.");
  return leaf;
}
