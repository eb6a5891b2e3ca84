import { createPublicKey } from "node:crypto";

/** Checks for each provider's keys. Each returns the problem, or undefined, and never repeats the value. */
type Fault = string | undefined;

const stripeSecret = /^(sk|rk)_(test|live)_\w{10,}$/;
const publishable = /^pk_(test|live)_/;
const webhookSecret = /^whsec_\S{16,}$/;

export function stripeSecretKeyFault(key: string): Fault {
  if (publishable.test(key)) return "is a publishable key (pk_…), but must be a secret or restricted one";
  if (webhookSecret.test(key))
    return "is the secret of a webhook (whsec_…), but must be a secret or restricted key";
  return stripeSecret.test(key)
    ? undefined
    : "must be a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…";
}

export function stripePublishableKeyFault(key: string): Fault {
  if (/^(sk|rk)_/.test(key)) {
    return "is a secret key, but every visitor is shown this one: put the publishable key (pk_…) here, and replace the secret one at Stripe if it was ever shown";
  }
  if (clerkHostOf(key) !== undefined) return "is a key of Clerk's, but must be Stripe's publishable key";
  return /^pk_(test|live)_\w{10,}$/.test(key)
    ? undefined
    : "must be a publishable key of Stripe: pk_test_… or pk_live_…";
}

export function stripeWebhookSecretFault(secret: string): Fault {
  if (/^(sk|rk|pk)_/.test(secret))
    return "is an API key, but must be the signing secret of the webhook endpoint (whsec_…)";
  return webhookSecret.test(secret)
    ? undefined
    : "must be the signing secret of the webhook endpoint: whsec_…";
}

/** Host (and port) encoded in one of Clerk's publishable keys: base 64 ending in `$`. Undefined for anything else. */
export function clerkHostOf(key: string): string | undefined {
  const encoded = /^pk_(?:test|live)_([A-Za-z0-9+/_-]+={0,2})$/.exec(key)?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("latin1");
  return /^([a-z0-9.-]+(?::\d{1,5})?)\$$/i.exec(text)?.[1];
}

export function clerkPublishableKeyFault(key: string): Fault {
  if (/^sk_/.test(key)) {
    return "is a secret key, but every visitor is shown this one: put the publishable key (pk_…) here, and replace the secret one at Clerk if it was ever shown";
  }
  return clerkHostOf(key) === undefined
    ? "must be a publishable key of Clerk: pk_test_… or pk_live_…, which holds the address of its Frontend API"
    : undefined;
}

export function clerkSecretKeyFault(key: string): Fault {
  if (publishable.test(key)) return "is a publishable key (pk_…), but must be the secret one";
  return /^sk_(test|live)_\w{10,}$/.test(key)
    ? undefined
    : "must be a secret key of Clerk: sk_test_… or sk_live_…";
}

/** The public half of an RSA key in PEM, with line ends or escaped as `\n`. */
export function jwtKeyFault(text: string): Fault {
  if (text.includes("PRIVATE KEY"))
    return "is a private key, but must be the public one that tokens are verified with";
  const wanted =
    "must be the JWKS public key of Clerk in PEM (-----BEGIN PUBLIC KEY-----), on one line with \\n or in quotes";
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(text.replaceAll("\\n", "\n"));
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
      ? undefined
      : wanted;
  } catch {
    return wanted;
  }
}

export function clerkIssuerFault(url: string): Fault {
  const isPlain = URL.canParse(url) && isOriginOf(url.replace(/\/+$/, ""));
  return isPlain && isEncryptedOrOurs(new URL(url))
    ? undefined
    : "must be the address of Clerk's Frontend API, https://… without a path";
}

export function originsFault(text: string): Fault {
  return text.split(",").every((part) => isOriginOf(part.trim()))
    ? undefined
    : "must be origins separated by commas, like https://www.example.com, without a path or slash at the end";
}

/** The `aud` claim: https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3 */
export function audiencesFault(text: string): Fault {
  return text.split(",").every((part) => /^[\x21-\x7e]{1,200}$/.test(part.trim()))
    ? undefined
    : "must be the audience that the session token was given, without spaces; several separated by commas";
}

/** @example smtp://user:password@mail.example.com:587 */
export function smtpUrlFault(text: string): Fault {
  const wanted = "must be an address like smtp://user:password@host:587 or smtps://user:password@host:465";
  if (!URL.canParse(text)) return wanted;
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(text);
  if (!["smtp:", "smtps:"].includes(protocol) || !hostname || !["", "/"].includes(pathname)) return wanted;
  if (!isDecodable(username) || !isDecodable(password))
    return "has a % in user or password that is not encoded: write it as %25";
  if (!username !== !password) return "has a user or a password but not both";
  const plain = searchParams.get("tls") === "false";
  if (plain && protocol === "smtps:") return "asks for TLS (smtps) and for none (tls=false)";
  if (plain && username && !isLoopback(hostname)) {
    return "would send a password unencrypted: leave out tls=false";
  }
  return undefined;
}

/** @example lmtp://127.0.0.1:2424 or imaps://user:password@mail.example.com/INBOX */
export function mailInUrlFault(text: string): Fault {
  const wanted =
    "must be an address like lmtp://127.0.0.1:2424, smtp://127.0.0.1:2525 or imaps://user:password@host/INBOX";
  if (!URL.canParse(text)) return wanted;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (!hostname || search || hash) return wanted;
  if (protocol === "lmtp:" || protocol === "smtp:") {
    return port && !username && !password && ["", "/"].includes(pathname) ? undefined : wanted;
  }
  if (protocol !== "imaps:" && protocol !== "imap:") return wanted;
  if (!username || !password) return "has no user and password for the mailbox";
  if (![username, password, pathname].every(isDecodable))
    return "has a % in user, password or folder that is not encoded: write it as %25";
  return protocol === "imap:" && !isLoopback(hostname)
    ? "would send a password and customers' mail unencrypted: use imaps://"
    : undefined;
}

const longestLocalPart = 11;

/** Room for "+" and a token of 52 in the 64 characters of a local part: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.1 */
export function mailInAddressFault(text: string): Fault {
  const [, local = ""] = /^([a-z0-9][a-z0-9._-]*)@[a-z0-9.-]+\.[a-z0-9-]+$/.exec(text.toLowerCase()) ?? [];
  if (local === "") return "must be an email address without a +, like help@example.com";
  return local.length > longestLocalPart
    ? `has more than ${longestLocalPart} characters before the @, but the rest of an address is needed for what tells mails apart`
    : undefined;
}

export const hostNameFault = (text: string): Fault =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? undefined : "must be a host name, like mx.example.com";

/** RFC 6376: one or more labels; the rest of the record's name follows from the domain. */
export const dkimSelectorFault = (text: string): Fault =>
  /^[\w-]+(\.[\w-]+)*$/.test(text) && !/_domainkey/i.test(text)
    ? undefined
    : "must be the selector alone, like mail2026, without ._domainkey and the domain";

/** @example tcp://127.0.0.1:3310 */
export function scannerUrlFault(text: string): Fault {
  const wanted = "must be an address like tcp://127.0.0.1:3310";
  if (!URL.canParse(text)) return wanted;
  const { protocol, hostname, port, username, password, pathname } = new URL(text);
  const isPlain = !username && !password && ["", "/"].includes(pathname);
  return protocol === "tcp:" && hostname && port && isPlain ? undefined : wanted;
}

export function serviceUrlFault(text: string): Fault {
  const wanted = "must be an address like https://automation.example.com, without user, query or fragment";
  if (!URL.canParse(text)) return wanted;
  const { protocol, username, password, search, hash } = new URL(text);
  const isHttp = protocol === "https:" || protocol === "http:";
  return isHttp && !username && !password && !search && !hash ? undefined : wanted;
}

/** Secrets as in the Standard Webhooks specification: 24 to 64 random bytes. */
export const signingSecretFault =
  (most: 1 | 2) =>
  (text: string): Fault => {
    const secrets = text.split(",").map((part) => part.trim());
    const wanted = `must be ${most === 1 ? "a secret" : "one secret, or two separated by a comma,"} of 24 to 64 random bytes: whsec_ and base 64`;
    return secrets.length <= most && secrets.every(isSigningSecret) ? undefined : wanted;
  };

function isSigningSecret(secret: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "";
  const { length } = Buffer.from(encoded, "base64");
  return length >= 24 && length <= 64;
}

const isOriginOf = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const isEncryptedOrOurs = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopback(hostname));

export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** This machine: no encryption needed. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(hostname);
