import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { SigningKeys } from "../../infra/key-ring/signing-keys.ts";

/** Private links, which open a ticket to their holder. */
export type TicketLinks = {
  /** The URL that opens a ticket. Its key is in the fragment, which never reaches a server, log or Referer. */
  linkTo(ticketId: string, generation: number): string;
  /** The ticket a key names, whether or not it opens it; undefined if malformed. */
  ticketIdIn(key: string): string | undefined;
  /** Whether a key opens the ticket: only keys of the current generation do. */
  opens(key: string, ticketId: string, generation: number): boolean;
};

const keyShape = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * A link's secret is HMAC-SHA-256(installation key, ticket id and generation), all 256 bits: nothing is stored, a
 * repeated request gets the same secret, and the next generation invalidates every earlier link.
 * @param options.keys the newest signs; signatures of older keys are accepted until those are revoked
 * @param options.publicUrl without a trailing slash
 */
export function createTicketLinks(options: { keys: SigningKeys; publicUrl: string }): TicketLinks {
  const secretOf = (key: KeyObject, ticketId: string, generation: number): string =>
    createHmac("sha256", key)
      .update(["ticket-link", ticketId, String(generation)].join("\n"))
      .digest("base64url");
  return {
    linkTo: (ticketId, generation) =>
      `${options.publicUrl}/support/view#key=${packed(ticketId)}.${secretOf(options.keys.current(), ticketId, generation)}`,
    ticketIdIn: (key) => {
      const [, id] = keyShape.exec(key) ?? [];
      return id && unpacked(id);
    },
    opens: (key, ticketId, generation) => {
      const [, id, secret] = keyShape.exec(key) ?? [];
      if (!id || !secret || unpacked(id) !== ticketId) return false;
      return options.keys
        .accepted()
        .some((one) =>
          timingSafeEqual(Buffer.from(secret), Buffer.from(secretOf(one, ticketId, generation))),
        );
    },
  };
}

const packed = (uuid: string): string => Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");

function unpacked(text: string): string {
  const hex = Buffer.from(text, "base64url").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
