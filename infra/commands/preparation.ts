import { StoreBusy } from "../event-store/event-store.ts";

/** A command that names what was sealed for it. `fingerprint` is that of the request. */
export type Prepared<Command> = {
  readonly command: Command;
  readonly fingerprint: string | null;
  /** Destroys what was sealed: no event names it. Never throws. */
  readonly discard: () => Promise<void>;
};

/** Seals what a command is to name, on the stream as it stands; `nothing` when there turns out to be nothing to do. */
export type Prepare<State, Command> = (state: State) => Promise<Prepared<Command> | "nothing">;

/** What was prepared for one request, until the log tells whether an event names it. */
export type Preparation<State, Command> = {
  /** Prepares, once however often the request is tried. */
  on(state: State): Promise<Prepared<Command> | "nothing">;
  /** Tries to append the command's events; `again` when others were first and nothing was written. */
  appending<Result>(append: () => Promise<Result | "again">): Promise<Result | "again">;
  /** After an error whose outcome is unknown an event may name it: then the sweep finds out. */
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
