import { OperatorFault, wordsForOperator } from "../../../infra/process/operator-error.ts";

/** One thing that was looked at. `todo` says how to mend it; a sentence that says so itself needs none. */
export type Finding = {
  readonly about: string;
  readonly state: "ok" | "warning" | "wrong";
  readonly what: string;
  readonly todo: string | null;
};

/** It is as it should be, or could not be looked at and need not be. */
export const ok = (about: string, what: string): Finding => ({ about, state: "ok", what, todo: null });

/** It works, and may not for ever. */
export const warning = (about: string, what: string, todo: string | null = null): Finding => ({
  about,
  state: "warning",
  what,
  todo,
});

/** It does not work, or promises something that it cannot keep. */
export const wrong = (about: string, what: string, todo: string | null = null): Finding => ({
  about,
  state: "wrong",
  what,
  todo,
});

/** Looks at something and changes nothing. What it throws is a finding too. */
export type Check = { readonly about: string; readonly look: () => Promise<readonly Finding[]> };

const patienceMs = 15_000;

/** Looks at all of it, one after the other: a machine in trouble needs no rush. */
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
      "see whether it is overloaded",
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

// A stack says nothing to an operator; what it is called and says does.
function firstLine(error: unknown): string {
  const known = wordsForOperator(error);
  if (error instanceof OperatorFault || !(error instanceof Error)) return known;
  return known.includes("\n") ? `${error.name}: ${error.message}` : known;
}

/** A finding as a line: what it is about, how it stands, what was found, and what to do. */
export const lineOf = ({ about, state, what, todo }: Finding): string =>
  `${state.padEnd(7)}  ${about}: ${what}${todo === null ? "" : ` — ${todo}`}`;
