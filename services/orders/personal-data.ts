import type { Prepare } from "../../infra/commands/append.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { Json } from "../../infra/json.ts";
import type { CommandRequest } from "../command-bus.ts";
import { existingFingerprint, fingerprinter } from "../vault/stream-fingerprint.ts";
import { type DataClass, type RecordKind, recordsOfCommand } from "../vault/vault.ts";
import type { OrderDependencies } from "./dependencies.ts";

const schemaVersion = 1;

/** Seals one record and returns its id, for the command to name. */
export type Seal = (kind: RecordKind, dataClass: DataClass, body: Json | Uint8Array) => Promise<string>;

/** Text typed by a person, and the command that names its sealed records. */
export type Typed<State, Command> = {
  /** Id of the order or ticket. */
  readonly subject: string;
  readonly commandId: string;
  /** Whether the sender may repeat it under the same command id. */
  readonly repeatable: boolean;
  /** Whether it is the subject's first command. */
  readonly isFirst?: boolean;
  /** Compared between a command and its repeat. */
  readonly body: Json;
  /** The command before sealing, with `unsealed` in place of each record. */
  readonly draft: Command;
  /** Called once the draft would be accepted; `nothing` if there is nothing to do. Must refuse before it seals. */
  readonly command: (seal: Seal, state: State) => Promise<Command | "nothing">;
};

type Vaulting = Pick<
  OrderDependencies,
  "vault" | "deriveId" | "newId" | "now" | "log" | "unpaidExpiresAfterSeconds"
>;

/** Arguments of `execute`, except on whose behalf. */
export type TypedCommand<State, Command> = Omit<Required<CommandRequest<State, Command>>, "by">;

/**
 * Prepares a command with text typed by a person: the decider is asked first, then the text is sealed, then the event
 * naming the record is appended, in one transaction with the record where log and vault share a database. A repeat is
 * compared under the subject's own key and stores nothing; once that key is destroyed, it gets the first result
 * uncompared.
 */
export const typedCommand = <State, Command>(
  deps: Vaulting,
  typed: Typed<State, Command>,
): TypedCommand<State, Command> => {
  let attempts = 0;
  return {
    commandId: typed.commandId,
    command: typed.draft,
    // A repeat would seal again before it is noticed; where appends store the records, it stores none.
    readFirst: typed.repeatable && deps.vault.recordsOfAppend === undefined,
    fingerprint: async () =>
      typed.repeatable ? existingFingerprint(deps.vault, deps.deriveId, typed.subject)(typed.body) : null,
    prepare: (state) => {
      attempts += 1;
      return prepare(deps, { ...typed, isFirst: typed.isFirst === true && attempts === 1 }, state);
    },
  };
};

/** @throws CommandReused if the key belongs to a purged subject, or one that was never created */
async function prepare<State, Command>(
  deps: Vaulting,
  { subject, commandId, repeatable, isFirst = false, body, command }: Typed<State, Command>,
  state: State,
): ReturnType<Prepare<State, Command>> {
  const { vault, deriveId } = deps;
  const records = recordsOfCommand(vault);
  const dueAt = new Date(deps.now().getTime() + deps.unpaidExpiresAfterSeconds * 1000).toISOString();
  const sealing: Promise<string>[] = [];
  let computing: Promise<string | null> | undefined;

  /** Only with the first record: the comparison key is a record too. */
  function fingerprintOnce(): Promise<string | null> {
    computing ??= repeatable ? fingerprintAnew() : Promise.resolve(null);
    return computing;
  }

  async function fingerprintAnew(): Promise<string> {
    const fingerprint = await fingerprinter({ vault, records, deriveId, subject, dueAt, isFirst })(body);
    if (fingerprint === null) throw new CommandReused(commandId);
    return fingerprint;
  }

  /**
   * Sealed before the append, its id derives from command and body together: derived from the command alone, a crash
   * between sealing and appending, followed by another body under the same key, would append an event that names a
   * record of the first body.
   */
  async function sealOne(kind: RecordKind, dataClass: DataClass, record: Json | Uint8Array): Promise<string> {
    const sealAs = (recordId: string) =>
      records.seal({ recordId, subject, dataClass, kind, schemaVersion, body: record, dueAt });
    if (!vault.recordsOfAppend) {
      const derived = deriveId("record", kind, commandId, (await fingerprintOnce()) ?? "");
      if ((await sealAs(derived)) === "sealed") return derived;
    }
    // One of the derived id was sealed by another attempt, which may yet name it, discard it, or have crashed.
    const fresh = deps.newId();
    await sealAs(fresh);
    return fresh;
  }

  async function discard(): Promise<void> {
    await Promise.allSettled(sealing);
    try {
      await records.discard();
    } catch (error) {
      const code = nameOfError(error);
      deps.log.error(
        { subjectId: subject, code },
        "what was sealed for a refused request is left to the sweep",
      );
    }
  }

  async function written(): Promise<void> {
    try {
      await records.written();
    } catch (error) {
      // The sweep finds the rows, and notes that their keys are in use for good.
      deps.log.warn(
        { subjectId: subject, code: nameOfError(error) },
        "keys stay marked until the next sweep",
      );
    }
  }

  try {
    const made = await command((...record) => {
      const sealed = sealOne(...record);
      sealing.push(sealed);
      return sealed;
    }, state);
    if (made !== "nothing") {
      const fingerprint = await fingerprintOnce();
      return { command: made, fingerprint, companions: await records.companions(), written, discard };
    }
  } catch (error) {
    await discard();
    throw error;
  }
  await discard();
  return "nothing";
}
