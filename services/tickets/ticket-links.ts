import { createHmac, timingSafeEqual } from "node:crypto";
import type { SigningKeys } from "../../infra/key-ring/signing-keys.ts";

/** Opens a ticket for whoever holds its private link. */
export type TicketLinks = {
  /** The address that opens a ticket. Its key stands in the fragment, which no server, log or Referer ever sees. */
  linkTo(ticketId: string, generation: number): string;
  /** The ticket that a key names, whether or not it opens it; undefined when it can be no key. */
  ticketIdIn(key: string): string | undefined;
  /** Whether a key opens the ticket: it is of the generation that counts now. */
  opens(key: string, ticketId: string, generation: number): boolean;
};

const keyShape = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * The secret of a link is HMAC-SHA-256(installation key, ticket id and generation), all 256 bits of it: nothing has to be stored, a repeated
 * request can be given it again, and the next generation makes every earlier link worthless.
 * @param options.keys the newest signs; what an older one signed opens as well until that is given up
 * @param options.publicUrl without a trailing slash
 */
export function createTicketLinks(options: { keys: SigningKeys; publicUrl: string }): TicketLinks {
  const secretOf = (key: Buffer, ticketId: string, generation: number): string =>
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
