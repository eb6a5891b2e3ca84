import type { Json } from "../../infra/json.ts";
import { fingerprinter } from "../vault/stream-fingerprint.ts";
import type { DataClass, RecordKind } from "../vault/vault.ts";
import type { Desk } from "./desk.ts";
import { CommandReused } from "./handler-repeat.ts";

const schemaVersion = 1;

/**
 * What a person typed. `subject` is the order or ticket; `repeatable` when their browser may send it again under the same command
 * id; `isKnown` tells whether the subject was told that command.
 */
type Typed = {
  subject: string;
  commandId: string;
  repeatable: boolean;
  body: Json;
  isKnown: () => Promise<boolean>;
};

/** Seals what a person typed with one command, and fingerprints it so that a repeat is recognised. */
export type Sealing = {
  /** Answers the record's id, for the event to name. */
  seal(kind: RecordKind, dataClass: DataClass, body: Json): Promise<string>;
  /** Null for what is never repeated, and once the subject's own key is gone: then there is nothing to compare. */
  readonly fingerprint: string | null;
};

/**
 * Prepares to seal. Record ids are derived from command and body together: were they derived from the command alone, a crash between
 * sealing and appending, followed by another body under the same key, would append an event that names a record of the first body.
 * @throws CommandReused when the key of a purged subject, or of one that never came to be, is used anew
 */
export async function beginSealing(desk: Desk, typed: Typed): Promise<Sealing> {
  const { subject, commandId, repeatable, body, isKnown } = typed;
  const dueAt = new Date(desk.now().getTime() + desk.unpaidExpiresAfterSeconds * 1000).toISOString();
  const fingerprint = repeatable
    ? await fingerprinter(desk.vault, desk.deriveId, subject, dueAt)(body)
    : null;
  const purged = repeatable && fingerprint === null;
  if (purged && !(await isKnown())) throw new CommandReused(commandId);

  return {
    fingerprint,
    seal: async (kind, dataClass, record) => {
      const derived = desk.deriveId("record", kind, commandId, fingerprint ?? "");
      // A known command gets its first result, and nothing may be kept for a subject that was purged.
      if (purged) return derived;
      const sealAs = (recordId: string) =>
        desk.vault.seal({ recordId, subject, dataClass, kind, schemaVersion, body: record, dueAt });
      if ((await sealAs(derived)) === "sealed" || (await isKnown())) return derived;
      // Sealed before by a try that appended nothing: the sweep may have destroyed it, or may be about to.
      const fresh = desk.newId();
      await sealAs(fresh);
      return fresh;
    },
  };
}
