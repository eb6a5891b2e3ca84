import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Order } from "../../domain/order/state.ts";
import type { SigningKeys } from "../../infra/key-ring/signing-keys.ts";

/** Whose mail it is. */
export type MailSubject = { readonly kind: "order" | "ticket" | "draft"; readonly id: string };

/** A mail that leaves. */
export type ReturningMail = {
  readonly subject: MailSubject;
  /** The mail's permanent id: its template, and its event. */
  readonly messageId: string;
  /** What comes to the address of an earlier generation is not the customer's: that mail may have gone to others. */
  readonly generation: number;
};

/** Earlier mails of an order may have gone to somebody else once its contact details were corrected. */
export const mailGeneration = ({ counts }: Pick<Order, "counts">): number => counts.ContactCorrected ?? 0;

/** The address that a mail gets; undefined where no mail comes in. */
export type ReturnTo = (mail: ReturningMail) => string | undefined;

/** What an address of ours says. */
export type ReturnAddress = {
  readonly subject: MailSubject;
  readonly generation: number;
  /** Whether it is the address of this mail. */
  isOf(messageId: string): boolean;
};

/**
 * Each mail has an address of its own, to which replies and bounces come: `help+<token>@certificates.example`. The token
 * names the mail and cannot be guessed; From, subject and references, which anyone can write, decide nothing.
 */
export interface ReturnAddresses {
  /** The one that all begin with. */
  readonly address: string;
  for(mail: ReturningMail): string;
  /** Undefined for every address that we did not make, or that has expired. */
  read(address: string): ReturnAddress | undefined;
  /**
   * The address under which mail to this one is taken: itself, or the one that all begin with if it has no token that
   * counts, so that made-up ones are one. Undefined for an address that is not ours.
   */
  mailboxOf(address: string): string | undefined;
}

/** How long an address counts: as long as the links in its mail. */
const daysCounted = 180;

const dayMs = 86_400_000;
/** Days are counted from here, so that they fit into 14 bits until 2070. */
const firstDay = Date.UTC(2026, 0, 1) / dayMs;
const mostDay = 2 ** 14 - 1;

const kinds = ["order", "ticket", "draft"] as const;
const [idBytes, mailBytes, proofBytes] = [16, 3, 10];
/** Kind and last day, id, generation, mail. */
const headBytes = 2 + idBytes + 1 + mailBytes;
const tokenBytes = headBytes + proofBytes;
const tokenCharacters = Math.ceil((tokenBytes * 8) / 5);

/** RFC 5321: what stands before the @, with the plus sign and the token. */
export const mostNameCharacters = 64 - 1 - tokenCharacters;

/**
 * @param options.address what follows the plus sign is ours; its name has `mostNameCharacters` at most
 * @param options.keys the newest signs; addresses by older keys count until those are revoked
 */
export function createReturnAddresses(options: {
  address: string;
  keys: SigningKeys;
  now: () => Date;
}): ReturnAddresses {
  const { keys, now } = options;
  const { name: ownName, domain: ownDomain } = partsOf(options.address);
  const today = () => Math.floor(now().getTime() / dayMs) - firstDay;
  const detailOf = (address: string): string | undefined => {
    const { name, domain } = partsOf(address.toLowerCase());
    if (domain !== ownDomain.toLowerCase()) return undefined;
    const [first, ...detail] = name.split("+");
    return first === ownName.toLowerCase() ? detail.join("+") : undefined;
  };
  const read = (address: string): ReturnAddress | undefined => {
    const bytes = fromBase32(detailOf(address) ?? "");
    if (bytes?.length !== tokenBytes) return undefined;
    const [head, proof] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes)];
    if (!keys.accepted().some((key) => timingSafeEqual(proof, proofOf(key, head)))) return undefined;
    const packed = head.readUInt16BE();
    const kind = kinds[packed >> 14];
    if (kind === undefined || today() > (packed & mostDay)) return undefined;
    const mail = head.subarray(-mailBytes);
    return {
      subject: { kind, id: uuidOf(head.subarray(2, 2 + idBytes)) },
      generation: head.readUInt8(2 + idBytes),
      isOf: (messageId) => mail.equals(mailDigest(messageId)),
    };
  };
  return {
    address: options.address,
    for: (mail) => {
      const head = headOf(mail, Math.min(today() + daysCounted, mostDay));
      const token = toBase32(Buffer.concat([head, proofOf(keys.current(), head)]));
      return `${ownName}+${token}@${ownDomain}`;
    },
    read,
    mailboxOf: (address) => {
      if (detailOf(address) === undefined) return undefined;
      return read(address) ? address.toLowerCase() : options.address;
    },
  };
}

function partsOf(address: string): { name: string; domain: string } {
  const at = address.lastIndexOf("@");
  return { name: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}

function headOf({ subject: { kind, id }, messageId, generation }: ReturningMail, lastDay: number): Buffer {
  const packed = Buffer.alloc(2);
  packed.writeUInt16BE((kinds.indexOf(kind) << 14) | lastDay);
  const idAsBytes = Buffer.from(id.replaceAll("-", ""), "hex");
  return Buffer.concat([packed, idAsBytes, Buffer.of(generation), mailDigest(messageId)]);
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const mailDigest = (messageId: string): Buffer =>
  createHash("sha256").update(messageId).digest().subarray(0, mailBytes);

const proofOf = (key: KeyObject, head: Buffer): Buffer =>
  createHmac("sha256", key).update("return-address\n").update(head).digest().subarray(0, proofBytes);

/** RFC 4648, in small letters: mail servers may change the case of an address. */
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

function toBase32(bytes: Buffer): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  bits <<= BigInt(tokenCharacters * 5 - tokenBytes * 8);
  let text = "";
  for (let n = tokenCharacters - 1; n >= 0; n -= 1) text += alphabet[Number((bits >> BigInt(n * 5)) & 31n)];
  return text;
}

/** Undefined for a text that `toBase32` would not have written. */
function fromBase32(text: string): Buffer | undefined {
  if (text.length !== tokenCharacters) return undefined;
  let bits = 0n;
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    bits = (bits << 5n) | BigInt(value);
  }
  const spare = BigInt(tokenCharacters * 5 - tokenBytes * 8);
  if ((bits & ((1n << spare) - 1n)) !== 0n) return undefined;
  return Buffer.from((bits >> spare).toString(16).padStart(tokenBytes * 2, "0"), "hex");
}
