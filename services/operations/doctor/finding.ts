import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";

/** A check's result. `todo` says how to fix it, unless `what` does. */
export type Finding = {
  readonly about: string;
  readonly state: "ok" | "warning" | "wrong";
  readonly what: string;
  readonly todo: string | null;
};

/** As it should be, or left unchecked for a good reason. */
export const ok = (about: string, what: string): Finding => ({ about, state: "ok", what, todo: null });

/** Works now, but may not continue to. */
export const warning = (about: string, what: string, todo: string | null = null): Finding => ({
  about,
  state: "warning",
  what,
  todo,
});

/** Does not work, or breaks a promise. */
export const wrong = (about: string, what: string, todo: string | null = null): Finding => ({
  about,
  state: "wrong",
  what,
  todo,
});

/** Checks something without changing it. Thrown errors become findings. */
export type Check = { readonly about: string; readonly look: () => Promise<readonly Finding[]> };

const patienceMs = 15_000;

/** Runs the checks one after the other, so a struggling machine is not overloaded. */
export async function examine(checks: readonly Check[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await lookAt(check)));
  return findings;
}

async function lookAt({ about, look }: Check): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    const finding = wrong(
      about,
      `did not answer within ${patienceMs / 1000} s`,
      "check whether it is overloaded",
    );
    timer = setTimeout(() => resolve([finding]), patienceMs);
  });
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return [wrong(about, firstLine(error))];
  } finally {
    clearTimeout(timer);
  }
}

// Operators need the error's name and message, not its stack.
function firstLine(error: unknown): string {
  const known = wordsForOperator(error);
  if (error instanceof OperatorError || !(error instanceof Error)) return known;
  return known.includes("\n") ? `${error.name}: ${error.message}` : known;
}

/** A finding as a line: subject, state, result, and remedy. */
export const lineOf = ({ about, state, what, todo }: Finding): string =>
  `${state.padEnd(7)}  ${about}: ${what}${todo === null ? "" : ` — ${todo}`}`;
