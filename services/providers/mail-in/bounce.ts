import type { BounceKind } from "../../../domain/mailbox.ts";

/** `hard`: the address takes no mail; `soft`: perhaps later; `spam`: refused for what it is or whence it came. */
type BounceSeverity = Exclude<BounceKind, "complaint">;
export type Bounce = { readonly severity: BounceSeverity; readonly code: string };

/** What became of a mail for one recipient (RFC 3464, 2.3). `diagnostic` is the other server's text, "" if unknown. */
export type Outcome = { readonly action: string; readonly status: string; readonly diagnostic: string };

/** The recipients of a message/delivery-status: groups of fields, of which the first is about the mail as a whole. */
export function outcomesOf(report: string): Outcome[] {
  return report
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has("action") || fields.has("status"))
    .map((fields) => ({
      action: (fields.get("action") ?? "failed").toLowerCase().split(/\s/)[0] ?? "",
      status: fields.get("status") ?? "",
      diagnostic: fields.get("diagnostic-code") ?? "",
    }));
}

/** The fields of a header block, each at its first occurrence, unfolded; names in small letters. */
export function fieldsOf(block: string): ReadonlyMap<string, string> {
  // Joined at the end: a text that grows line by line is copied for each.
  const fields = new Map<string, string[]>();
  let name: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    const begun = /^([\w-]{1,80})[ \t]*:(.*)$/.exec(line);
    if (begun !== null) {
      name = begun[1]?.toLowerCase();
      if (name === undefined || fields.has(name)) name = undefined;
      else fields.set(name, [(begun[2] ?? "").trim()]);
    } else if (name !== undefined && /^[ \t]/.test(line)) {
      fields.get(name)?.push(line.trim());
    }
  }
  return new Map([...fields].map(([key, lines]) => [key, lines.filter((line) => line !== "").join(" ")]));
}

/** The severity and code of a failure: from the enhanced status code, else the reply code, else what the server says. */
export function bounceOf({ status, diagnostic }: Pick<Outcome, "status" | "diagnostic">): Bounce {
  const words = diagnostic.slice(0, 2_000).toLowerCase();
  // Some relays report 5.0.0, and what the other server said as its diagnostic.
  const codes = [codeIn(status), codeIn(words)].filter((code) => code !== undefined);
  const code = codes.find((each) => !isVague(each)) ?? codes[0];
  if (code !== undefined) return { code, severity: vagueOrKnown(code, words) };
  const reply = /\b[45]\d\d\b/.exec(`${status} ${words}`)?.[0];
  return {
    code: reply ?? "",
    severity: wordsSay(words) ?? (reply === undefined ? "soft" : repliesSay(reply)),
  };
}

const codeIn = (text: string): string | undefined =>
  /(?:^|[\s(#;-])([245]\.\d{1,3}\.\d{1,3})(?![\d]|\.\d)/.exec(text)?.[1];

/** X.0.0 and "other": the words say more. */
const isVague = (code: string): boolean => /\.0\.\d+$/.test(code);

function vagueOrKnown(code: string, words: string): BounceSeverity {
  if (code.startsWith("4")) return "soft";
  if (isVague(code)) return wordsSay(words) ?? "hard";
  const known = severities.find(([pattern]) => pattern.test(code))?.[1] ?? "hard";
  // "5.7.1 user unknown" and "5.7.1 mailbox full" are common.
  return known === "spam" ? (wordsSay(words) ?? "spam") : known;
}

/** RFC 3463 and what large providers do with it; the first that matches counts. */
const severities: readonly (readonly [RegExp, BounceSeverity])[] = [
  [/^5\.2\.2$/, "soft"], // mailbox full
  [/^5\.[23]\.[34]$/, "soft"], // the mail is too large
  [/^5\.3\./, "soft"], // the server is full or not ready
  [/^5\.4\.(7|300|316)$/, "soft"], // tried for too long
  [/^5\.[67]\./, "spam"],
];

function repliesSay(reply: string): BounceSeverity {
  if (reply.startsWith("4") || reply === "552") return "soft";
  return reply === "554" ? "spam" : "hard";
}

/** A server's words, where its codes leave it open. */
function wordsSay(words: string): BounceSeverity | undefined {
  if (
    /mailbox( is)? full|over ?quota|quota exceeded|exceeded? (its |the )?(storage|quota)|full mailbox/.test(
      words,
    )
  )
    return "soft";
  if (
    /user unknown|unknown user|no such (user|mailbox|recipient|address)|does ?n[o']t exist|mailbox unavailable|not found|invalid (recipient|mailbox)|disabled|couldn't find any host|no mailbox here/.test(
      words,
    )
  )
    return "hard";
  if (/spam|block(ed|list)|blacklist|policy|dmarc|\bspf\b|reputation|rejected for/.test(words)) return "spam";
  return undefined;
}
