import type { Prepare } from "../../infra/commands/preparation.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { Json } from "../../infra/json.ts";
import type { CommandRequest } from "../command-bus.ts";
import { existingFingerprint, fingerprinter } from "../vault/stream-fingerprint.ts";
import type { DataClass, RecordKind } from "../vault/vault.ts";
import type { OrderDependencies } from "./dependencies.ts";

const schemaVersion = 1;

/** Seals one record and answers its id, for the command to name. */
export type Seal = (kind: RecordKind, dataClass: DataClass, body: Json) => Promise<string>;

/** What a person typed, and the command that names where it is sealed. */
export type Typed<State, Command> = {
  /** The order or ticket. */
  readonly subject: string;
  readonly commandId: string;
  /** The sender may send it again under the same command id. */
  readonly repeatable: boolean;
  /** What a repeat is compared by. */
  readonly body: Json;
  /** The command as far as it is known before anything is sealed: `unsealed` stands for each record. */
  readonly draft: Command;
  /** Called once the draft would be taken; `nothing` when there turns out to be nothing to do. Whatever refuses must do so before it seals. */
  readonly command: (seal: Seal, state: State) => Promise<Command | "nothing">;
};

type Vaulting = Pick<
  OrderDependencies,
  "vault" | "deriveId" | "newId" | "now" | "log" | "unpaidExpiresAfterSeconds"
>;

/** All that `tell` needs, but on whose behalf. */
export type TypedCommand<State, Command> = Omit<Required<CommandRequest<State, Command>>, "by">;

/**
 * A command that carries what a person typed, ready to be told: the decider is asked first, then the text is sealed, then the event that
 * names the record is appended. A repeat is compared under the subject's own key and seals nothing; once that key is gone it gets its
 * first result uncompared.
 */
export const typedCommand = <State, Command>(
  deps: Vaulting,
  typed: Typed<State, Command>,
): TypedCommand<State, Command> => ({
  commandId: typed.commandId,
  command: typed.draft,
  fingerprint: async () =>
    typed.repeatable ? existingFingerprint(deps.vault, deps.deriveId, typed.subject)(typed.body) : null,
  prepare: (state) => prepare(deps, typed, state),
});

/** @throws CommandReused when the key of a purged subject, or of one that never came to be, is used anew */
async function prepare<State, Command>(
  deps: Vaulting,
  { subject, commandId, repeatable, body, command }: Typed<State, Command>,
  state: State,
): ReturnType<Prepare<State, Command>> {
  const dueAt = new Date(deps.now().getTime() + deps.unpaidExpiresAfterSeconds * 1000).toISOString();
  const sealing: Promise<string>[] = [];
  let computing: Promise<string | null> | undefined;

  /** Not before the first record is sealed: the key to compare by is a record too. */
  function fingerprintOnce(): Promise<string | null> {
    computing ??= repeatable ? fingerprintAnew() : Promise.resolve(null);
    return computing;
  }

  async function fingerprintAnew(): Promise<string> {
    const fingerprint = await fingerprinter(deps.vault, deps.deriveId, subject, dueAt)(body);
    if (fingerprint === null) throw new CommandReused(commandId);
    return fingerprint;
  }

  /**
   * The id derives from command and body together: were it derived from the command alone, a crash between sealing and appending, followed
   * by another body under the same key, would append an event that names a record of the first body.
   */
  async function sealOne(kind: RecordKind, dataClass: DataClass, record: Json): Promise<string> {
    const sealAs = (recordId: string) =>
      deps.vault.seal({ recordId, subject, dataClass, kind, schemaVersion, body: record, dueAt });
    const derived = deps.deriveId("record", kind, commandId, (await fingerprintOnce()) ?? "");
    if ((await sealAs(derived)) === "sealed") return derived;
    // Sealed by another try, which may name it, discard it or have crashed: it is not ours to name.
    const fresh = deps.newId();
    await sealAs(fresh);
    return fresh;
  }

  async function discard(): Promise<void> {
    const settled = await Promise.allSettled(sealing);
    const sealed = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    if (sealed.length === 0) return;
    try {
      await deps.vault.destroy(sealed);
    } catch (error) {
      const code = nameOfError(error);
      deps.log.error(
        { subjectId: subject, code },
        "what was sealed for a refused request is left to the sweep",
      );
    }
  }

  try {
    const made = await command((...record) => {
      const sealed = sealOne(...record);
      sealing.push(sealed);
      return sealed;
    }, state);
    if (made !== "nothing") return { command: made, fingerprint: await fingerprintOnce(), discard };
  } catch (error) {
    await discard();
    throw error;
  }
  await discard();
  return "nothing";
}
