import { Resolver } from "node:dns/promises";
import type { MailInSettings } from "../../../infra/config/provider-settings.ts";
import { type Check, type Finding, ok, warning } from "./findings.ts";

/** What the checks ask of DNS. */
export type MailResolver = Pick<Resolver, "resolveMx" | "resolveTxt">;

const askWithinMs = 5_000;

/**
 * Whether mail of an address's domain can come in, and is believed elsewhere: MX, SPF, DMARC, and DKIM where its
 * selector is known.
 */
export const mailDomainCheck = (
  { address, dkimSelector }: Pick<MailInSettings, "address" | "dkimSelector">,
  resolver: MailResolver = new Resolver({ timeout: askWithinMs, tries: 1 }),
): Check => {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return {
    about: "mail domain",
    look: async () => [
      await mxFinding(domain, resolver),
      await recordFinding(domain, "v=spf1", "SPF: servers that may send its mail", resolver),
      await recordFinding(`_dmarc.${domain}`, "v=DMARC1", "DMARC: what becomes of forged mail", resolver),
      ...(dkimSelector === undefined
        ? []
        : [await dkimFinding(`${dkimSelector}._domainkey.${domain}`, resolver)]),
    ],
  };
};

const about = "mail domain";

async function mxFinding(domain: string, resolver: MailResolver): Promise<Finding> {
  const servers = await asked(() => resolver.resolveMx(domain));
  if (servers === "unknown") return unknownFinding(domain, "MX");
  // RFC 7505: a lone "." refuses all mail.
  const names = servers.map(({ exchange }) => exchange).filter((name) => name !== "" && name !== ".");
  return names.length > 0
    ? ok(about, `${domain} takes mail by ${names.join(", ")}`)
    : warning(about, `${domain} has no MX: replies and undeliverable mail do not come in`, "set one in DNS");
}

async function recordFinding(
  name: string,
  begins: string,
  meaning: string,
  resolver: MailResolver,
): Promise<Finding> {
  const records = await asked(() => resolver.resolveTxt(name));
  if (records === "unknown") return unknownFinding(name, "TXT");
  const found = records
    .map((pieces) => pieces.join(""))
    .filter((text) => text.toLowerCase().startsWith(begins.toLowerCase()));
  if (found.length === 1) return ok(about, `${name} has ${meaning}`);
  return found.length > 1
    ? warning(
        about,
        `${name} has ${found.length} records that begin with ${begins}, so none counts`,
        "leave one",
      )
    : warning(about, `${name} lacks ${meaning}`, `set a TXT record that begins with ${begins}`);
}

/** RFC 6376: a key without a value is revoked. Whether it is the one that signs, only a mail can tell. */
async function dkimFinding(name: string, resolver: MailResolver): Promise<Finding> {
  const records = await asked(() => resolver.resolveTxt(name));
  if (records === "unknown") return unknownFinding(name, "TXT");
  const keys = records.flatMap((pieces) => /(?:^|;)\s*p\s*=\s*([^;]*)/.exec(pieces.join(""))?.[1] ?? []);
  const [key] = keys;
  if (key === undefined)
    return warning(about, `${name} lacks DKIM's key`, "set the TXT record that your mail server gives");
  if (keys.length > 1) return warning(about, `${name} has ${keys.length} keys for DKIM`, "leave one");
  return key.trim() === ""
    ? warning(
        about,
        `${name} has a DKIM key that is revoked`,
        "set the selector that your mail server uses now",
      )
    : ok(about, `${name} has DKIM: the key that its mail is signed with`);
}

const unknownFinding = (name: string, type: string): Finding =>
  warning(about, `the ${type} records of ${name} could not be asked for`, "check this machine's DNS");

/** No such name, and no such record, are answers. */
const absent = new Set(["ENOTFOUND", "ENODATA"]);

async function asked<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[] | "unknown"> {
  try {
    return await ask();
  } catch (error) {
    return error instanceof Error && "code" in error && absent.has(String(error.code)) ? [] : "unknown";
  }
}
