import type { BounceKind, UndeliverableBecause } from "../../domain/mailbox.ts";

const returned: Readonly<Record<BounceKind, string>> = {
  hard: "returned by the recipient’s server",
  soft: "returned by the recipient’s server for now",
  spam: "refused as spam by the recipient’s server",
  complaint: "reported as spam by the recipient",
};

/** How a mail came back, for staff: `returned by the recipient’s server (5.1.1)`. */
export const bounceWords = ({ kind, code }: { readonly kind: BounceKind; readonly code: string }): string =>
  code === "" ? returned[kind] : `${returned[kind]} (${code})`;

/** Why a mail was not delivered, for staff. */
export const undeliverableWords: Readonly<Record<UndeliverableBecause, string>> = {
  refused: "refused by the mail server",
  unreachable: "not sent, because an earlier email came back",
  unwanted: "not sent, because an earlier email was reported as spam",
};
