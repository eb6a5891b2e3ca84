type Commands = typeof import("./commands.json");
export type CommandName = keyof Commands;

type Described<Command> = Command extends { options: infer Options } ? Options : Record<never, never>;

type Value<Option> = Option extends { from: number } ? number : string;
type Given<Option> = Option extends { many: boolean }
  ? readonly string[]
  : Option extends { default: unknown }
    ? Value<Option>
    : Option extends { takes: string }
      ? Value<Option> | undefined
      : boolean;

/** Every option that `commands.json` gives the command: whole numbers, words, or whether it was typed. */
export type OptionsOf<Name extends CommandName> = {
  readonly [Option in keyof Described<Commands[Name]>]: Given<Described<Commands[Name]>[Option]>;
};

type OperandOf<Command> = Command extends { operand: { required: boolean } } ? string : string | undefined;

export type CommandLine<Name extends CommandName> = {
  readonly name: Name;
  readonly options: OptionsOf<Name>;
  readonly operand: OperandOf<Commands[Name]>;
  /** What the command does not take itself, for the program that it runs. */
  readonly passedOn: readonly string[];
};

/**
 * What was typed after a command. Ends the process after `--help` (with 0) or where something is wrong (with 2, and a
 * sentence).
 */
export declare function commandLine<Name extends CommandName>(
  name: Name,
  typed?: readonly string[],
): CommandLine<Name>;

/** Does the same for the npm script that runs a file with arguments. */
export declare function answerBeforeRunning(root: string, given: readonly string[]): void;
