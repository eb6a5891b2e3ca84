/** Content of every mail about an order; only the names are personal. */
export type Occasion = {
  /** As the customer gave it: `Dr Siân Ŵyn`. */
  name: string;
  /** The recipient of the certificate, if not the customer. */
  recipientName: string | undefined;
  orderNumber: string;
  /** Opens the order without signing in, until it expires. */
  trackingLink: string;
};

export type Inline = string | { link: string; to: string };

/** A block of a letter. Text and HTML are rendered from the same blocks, so they never differ. */
export type Block =
  | { kind: "paragraph"; content: readonly Inline[] }
  | { kind: "heading"; text: string }
  /** Names and values, with an optional total. */
  | { kind: "facts"; facts: readonly Fact[]; sum?: Fact }
  | { kind: "list"; items: readonly string[] }
  | { kind: "button"; text: string; to: string }
  /** A form to copy, line by line. */
  | { kind: "form"; lines: readonly string[] };

export type Fact = { name: string; value: string };

/** A mail before rendering. */
export type Letter = { subject: string; blocks: readonly Block[] };

/** Where the certificate is posted. */
export const postedTo = ({ recipientName }: Pick<Occasion, "recipientName">): string =>
  recipientName === undefined
    ? "to the address you gave us"
    : `to ${recipientName}, at the address you gave us`;

export const paragraph = (...content: readonly Inline[]): Block => ({ kind: "paragraph", content });
export const heading = (text: string): Block => ({ kind: "heading", text });
export const facts = (...list: readonly Fact[]): Block => ({ kind: "facts", facts: list });
export const list = (...items: readonly string[]): Block => ({ kind: "list", items });
export const button = (text: string, to: string): Block => ({ kind: "button", text, to });
