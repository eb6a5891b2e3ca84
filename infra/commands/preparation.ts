import { StoreBusy } from "../event-store/event-store.ts";

/** A command that references its sealed data. `fingerprint` is that of the request. */
type Prepared<Command> = {
  readonly command: Command;
  readonly fingerprint: string | null;
  /** Erases the sealed data when no event references it. Never throws. */
  readonly discard: () => Promise<void>;
};

/** Seals the data a command will reference, given the current stream; `nothing` when there is nothing to do. */
export type Prepare<State, Command> = (state: State) => Promise<Prepared<Command> | "nothing">;

/** Sealed data of one request, until the log shows whether an event references it. */
type Preparation<State, Command> = {
  /** Seals once, however often the request is retried. */
  on(state: State): Promise<Prepared<Command> | "nothing">;
  /** Tries to append the command's events; `again` when others came first and nothing was written. */
  appending<Result>(append: () => Promise<Result | "again">): Promise<Result | "again">;
  /** After an unknown outcome an event may reference it: the sweep then decides. */
  discardUnlessNamed(): Promise<void>;
};

export function createPreparation<State, Command>(
  prepare: Prepare<State, Command>,
): Preparation<State, Command> {
  let prepared: Prepared<Command> | "nothing" = "nothing";
  let mayBeNamed = false;
  return {
    async on(state) {
      if (prepared === "nothing") prepared = await prepare(state);
      return prepared;
    },
    async appending(append) {
      mayBeNamed = true;
      try {
        const result = await append();
        mayBeNamed = result !== "again";
        return result;
      } catch (error) {
        mayBeNamed = !(error instanceof StoreBusy);
        throw error;
      }
    },
    async discardUnlessNamed() {
      if (prepared !== "nothing" && !mayBeNamed) await prepared.discard();
    },
  };
}
