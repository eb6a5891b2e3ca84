/** Neutral, softfail, temperror and the like are "none": they say nothing either way. */
export type AuthResult = "pass" | "fail" | "none";
export type Authentication = {
  readonly spf: AuthResult;
  readonly dkim: AuthResult;
  readonly dmarc: AuthResult;
};

type Header = { readonly key: string; readonly value: string };

/**
 * What the named server found (RFC 8601); null where it added nothing. A sender can write such a header as well, but
 * only below those of the server that took the mail: the topmost of that server counts, and none below the first
 * Received that another server wrote.
 */
export function authenticationOf(
  headers: readonly Header[],
  server: string | undefined,
): Authentication | null {
  if (server === undefined) return null;
  const name = server.toLowerCase();
  for (const { key, value } of headers) {
    if (key === "received" && !isReceivedBy(value, name)) return null;
    if (key !== "authentication-results") continue;
    const [by = "", ...results] = clausesOf(value);
    if (by.split(/\s/)[0]?.toLowerCase() === name) return resultsOf(results);
  }
  return null;
}

function isReceivedBy(value: string, server: string): boolean {
  const by = /(?:^|\s)by\s+([^\s;()]+)/i.exec(withoutComments(value))?.[1]?.toLowerCase();
  return by === server || by?.endsWith(`.${server}`) === true;
}

function resultsOf(clauses: readonly string[]): Authentication {
  const found = clauses
    .map((clause) => /^(spf|dkim|dmarc)\s*=\s*([a-z]+)/i.exec(clause))
    .map((match) => ({ method: match?.[1]?.toLowerCase(), result: match?.[2]?.toLowerCase() }));
  const of = (method: keyof Authentication): AuthResult => {
    const results = found.filter((each) => each.method === method).map(({ result }) => result);
    // A mail may have several signatures, of which one is enough.
    return results.includes("pass") ? "pass" : results.includes("fail") ? "fail" : "none";
  };
  return { spf: of("spf"), dkim: of("dkim"), dmarc: of("dmarc") };
}

const clausesOf = (value: string): string[] =>
  withoutComments(value)
    .split(";")
    .map((clause) => clause.trim());

/** Comments may hold anything, "dmarc=pass" among it; so may quoted strings, which say nothing that we read. */
function withoutComments(value: string): string {
  let kept = "";
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === "\\") index += 1;
    else if (quoted) quoted = character !== '"';
    else if (character === '"' && depth === 0) quoted = true;
    else if (character === "(") depth += 1;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}
